import { createServer, type Server } from 'node:http'
import type Koa from 'koa'
import type { Knex } from 'knex'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { isMigrated } from '../db/migrate.ts'
import { openPort } from './open-port.ts'
import { isOfThisMachine } from './this-machine.ts'

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
  /** Serves the figures on loopback only, and under no name but this machine's. */
  listen(port: number): Promise<Server>
}

/** What waits, runs or was given up. The labels are words of ours: no name, no address, nothing anybody wrote. */
export interface BacklogFigures {
  readonly jobs: readonly { readonly kind: string; readonly state: string; readonly count: number }[]
  readonly overdueSeconds: readonly { readonly kind: string; readonly seconds: number }[]
  readonly mails: readonly { readonly state: string; readonly count: number }[]
  readonly refusals: readonly { readonly code: string; readonly count: number }[]
}

/** Gauges of the backlog, read when somebody asks; without a value while the database does not answer. */
function gaugeBacklog(registry: Registry, read: () => Promise<BacklogFigures>): void {
  // The gauges are asked at the same time and share one reading.
  let reading: Promise<BacklogFigures | undefined> | undefined
  const readOnce = () => {
    reading ??= read()
      .catch(() => undefined)
      .finally(() => {
        reading = undefined
      })
    return reading
  }
  function gauge(
    name: string,
    help: string,
    labelNames: string[],
    set: (to: Gauge, found: BacklogFigures) => void,
  ): void {
    const made: Gauge = new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      collect: async (): Promise<void> => {
        const found = await readOnce()
        made.reset()
        if (found) set(made, found)
      },
    })
  }
  gauge('beaconry_jobs', 'Jobs that wait, run or failed for the last time', ['kind', 'state'], (to, { jobs }) => {
    for (const { kind, state, count } of jobs) to.set({ kind, state }, count)
  })
  gauge('beaconry_jobs_overdue_seconds', 'How long the oldest due job has been waiting', ['kind'], (to, found) => {
    for (const { kind, seconds } of found.overdueSeconds) to.set({ kind }, seconds)
  })
  gauge('beaconry_mails', 'Mails that are not sent: held, queued, sending or failed', ['state'], (to, { mails }) => {
    for (const { state, count } of mails) to.set({ state }, count)
  })
  gauge('beaconry_refused_changes', 'Changes that phones were refused lately', ['code'], (to, { refusals }) => {
    for (const { code, count } of refusals) to.set({ code }, count)
  })
}

export function createMetrics(openStreams: () => number, readBacklog: () => Promise<BacklogFigures>): Metrics {
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
  gaugeBacklog(registry, readBacklog)
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
      const server = createServer((request, response) => {
        if (!isOfThisMachine(request)) return void response.writeHead(421).end()
        registry.metrics().then(
          (text) => response.setHeader('Content-Type', registry.contentType).end(text),
          () => response.writeHead(500).end(),
        )
      })
      await openPort(server, { port, host: '127.0.0.1', setting: 'METRICS_PORT' })
      return server
    },
  }
}
