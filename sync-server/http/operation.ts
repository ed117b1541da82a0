import { createServer, type Server } from 'node:http'
import type Koa from 'koa'
import type { Knex } from 'knex'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { isMigrated } from '../db/migrate.ts'

/** What readiness depends on. */
export interface Vitals {
  readonly db: Knex
  isListening(): boolean
  isDraining(): boolean
}

/** `/healthz`: the process answers. `/readyz`: it can serve, else 503 naming what is missing. */
export function healthRoutes({ db, isListening, isDraining }: Vitals): Koa.Middleware {
  let migrated = false
  return async (ctx, next) => {
    if (ctx.path !== '/healthz' && ctx.path !== '/readyz') return await next()
    ctx.set('Cache-Control', 'no-store')
    if (ctx.path === '/healthz') {
      ctx.body = { ok: true }
      return
    }
    let database = true
    try {
      await db.raw('select 1')
      // Migrations only go forward: once current, always current.
      migrated ||= await isMigrated(db)
    } catch {
      database = false
    }
    const checks = { database, migrated, listening: isListening(), draining: isDraining() }
    ctx.status = database && migrated && checks.listening && !checks.draining ? 200 : 503
    ctx.body = checks
  }
}

/** Figures for Prometheus: of the process, of every route and of the open streams. */
export interface Metrics {
  readonly middleware: Koa.Middleware
  /** Serves the figures on loopback only. */
  listen(port: number): Promise<Server>
}

export function createMetrics(openStreams: () => number): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const duration = new Histogram({
    name: 'beaconry_request_seconds',
    help: 'How long calls took',
    labelNames: ['route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  const streams: Gauge = new Gauge({
    name: 'beaconry_open_streams',
    help: 'Live streams open now',
    registers: [registry],
    collect: (): void => streams.set(openStreams()),
  })
  return {
    middleware: async (ctx, next) => {
      const stop = duration.startTimer()
      try {
        await next()
      } finally {
        const route: unknown = ctx.state['route']
        if (typeof route === 'string') stop({ route, status: ctx.status })
      }
    },
    listen: async (port) => {
      const server = createServer((_, response) => {
        registry.metrics().then(
          (text) => response.setHeader('Content-Type', registry.contentType).end(text),
          () => response.writeHead(500).end(),
        )
      })
      await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve))
      return server
    },
  }
}
