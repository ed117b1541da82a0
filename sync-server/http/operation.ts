import { createServer, type Server, type IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type Koa from 'koa'
import type { Knex } from 'knex'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { isLocal, type Config } from '../config.ts'
import { isMigrated } from '../db/migrate.ts'
import { openPort } from './open-port.ts'

interface Vitals {
  readonly db: Knex
  isListening(): boolean
  /** Returns whether an announcement of this process comes back to it. */
  hearsItself(): Promise<boolean>
  isDraining(): boolean
}

const longestCheckMs = 5_000

/**
 * `/healthz` says that the process answers. `/readyz` says that it can serve and deliver, else it answers 503 with
 * false for what is missing, or true for draining.
 */
export function healthRoutes({ db, isListening, hearsItself, isDraining }: Vitals): Koa.Middleware {
  let migrated = false

  async function takesWritesAndIsMigrated(): Promise<boolean> {
    // A standby says so too.
    const { rows } = await db.raw<{ rows: { isReadOnly: boolean }[] }>(
      `select current_setting('transaction_read_only')::boolean as is_read_only`,
    )
    // Migrations only go forward: once current, always current.
    migrated ||= await isMigrated(db)
    return rows[0]?.isReadOnly === false
  }

  return async (ctx, next) => {
    if (ctx.path !== '/healthz' && ctx.path !== '/readyz') return await next()
    ctx.set('Cache-Control', 'no-store')
    if (ctx.path === '/healthz') {
      ctx.body = { ok: true }
      return
    }
    const database = await isTrueInTime(takesWritesAndIsMigrated())
    const listening = isListening()
    const hearing = database && listening && (await isTrueInTime(hearsItself()))
    const draining = isDraining()
    ctx.status = database && migrated && hearing && !draining ? 200 : 503
    ctx.body = { database, migrated, listening, hearing, draining }
  }
}

async function isTrueInTime(answer: Promise<boolean>): Promise<boolean> {
  return await Promise.race([answer.catch(() => false), delay(longestCheckMs, false, { ref: false })])
}

/**
 * Each row has labels, which are words of ours and never personal data, and a value. Only open rows are read, from
 * indexes, because they are asked for every few seconds and finished rows grow.
 */
const backlog = [
  {
    name: 'beaconry_jobs',
    help: 'Jobs that wait, run or failed for the last time',
    labelNames: ['kind', 'state'],
    sql: `select kind, 'waiting' as state, count(*)::int as value from jobs where state = 'waiting' group by kind
      union all select kind, 'running', count(*)::int from jobs where state = 'running' group by kind
      union all select kind, 'dead', count(*)::int from jobs where state = 'dead' group by kind`,
  },
  {
    name: 'beaconry_jobs_overdue_seconds',
    help: 'How long the oldest due job has been waiting',
    labelNames: ['kind'],
    sql: `select kind, extract(epoch from now() - min(run_at))::float8 as value from jobs
      where state = 'waiting' and run_at <= now() group by kind`,
  },
  {
    name: 'beaconry_mails',
    help: 'Mails that are not sent: held, queued, sending or failed',
    labelNames: ['state'],
    sql: `select state, count(*)::int as value from mails where state in ('held', 'queued', 'sending') group by state
      union all select 'failed', count(*)::int from mails where state = 'failed'`,
  },
]

export const refusedChanges = new Counter({
  name: 'beaconry_refused_changes_total',
  help: 'Changes that this process has refused for good, and that wait on a phone for a person',
  labelNames: ['code'],
  registers: [],
})

export const cleanUpSucceededAt = new Gauge({
  name: 'beaconry_clean_up_succeeded_timestamp_seconds',
  help: 'When a step of the clean-up had last removed all that was due, in seconds since 1970; 0 for not since the start',
  labelNames: ['step'],
  registers: [],
})

export const browserErrors = new Counter({
  name: 'beaconry_browser_errors_total',
  help: 'Errors that pages have reported to this process',
  registers: [],
})

type Measured = { readonly value: number } & Record<string, string | number>

export function createMetrics(openStreams: () => number, db: Knex) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  registry.registerMetric(refusedChanges)
  registry.registerMetric(browserErrors)
  registry.registerMetric(cleanUpSucceededAt)
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
  for (const { sql, ...about } of backlog) {
    const gauge: Gauge = new Gauge({
      ...about,
      registers: [registry],
      collect: async (): Promise<void> => {
        // There is no value while the database does not answer.
        const { rows } = await db.raw<{ rows: Measured[] }>(sql).catch(() => ({ rows: [] as Measured[] }))
        gauge.reset()
        for (const { value, ...labels } of rows) gauge.set(labels, value)
      },
    })
  }
  return {
    middleware: (async (ctx, next) => {
      const stop = duration.startTimer()
      try {
        await next()
      } finally {
        const route: unknown = ctx.state['route']
        if (typeof route === 'string') stop({ route, status: ctx.status })
      }
    }) satisfies Koa.Middleware,
    /** A loopback address answers only under this machine's names; any other answers all who reach it. */
    listen: async (port: number, host: string): Promise<Server> => {
      const isShared = !loopback.test(host)
      const server = createServer((request, response) => {
        if (!isShared && !isOfThisMachine(request)) return void response.writeHead(421).end()
        registry.metrics().then(
          (text) => response.setHeader('Content-Type', registry.contentType).end(text),
          () => response.writeHead(500).end(),
        )
      })
      await openPort(server, { port, host, setting: 'METRICS_PORT' })
      return server
    },
  }
}

const loopback = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/

/**
 * By DNS rebinding a foreign page's name may lead here, and a browser on this machine would let that page read the answer.
 * Proxy headers are ignored, because such a page can send them.
 */
export function isOfThisMachine(request: IncomingMessage): boolean {
  return loopback.test(request.socket.remoteAddress ?? '') && isLocalName(request.headers.host ?? '')
}

const localName = /^(([\w-]+\.)*localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i
const isLocalName = (host: string) => localName.test(host)

/**
 * Where people reach the server on this machine alone, refuses foreign names (DNS rebinding). Numeric addresses, no page's
 * name, pass where other machines may connect; so do requests without a name, which no browser sends.
 */
export function onlyOwnNames({ publicOrigin, host: listensOn }: Pick<Config, 'publicOrigin' | 'host'>): Koa.Middleware {
  const isOpen = !isLocal(publicOrigin)
  const takesNumbers = !isLocalName(isIP(listensOn) === 6 ? `[${listensOn}]` : listensOn)
  return async (ctx, next) => {
    const { host } = ctx.req.headers
    if (isOpen || host === undefined || isLocalName(host) || (takesNumbers && isNumbers(host))) return await next()
    ctx.status = 421
    ctx.body = 'This server is for its own machine alone: ask it as localhost or 127.0.0.1.\n'
  }
}

const isNumbers = (host: string) =>
  URL.canParse(`http://${host}`) && isIP(new URL(`http://${host}`).hostname.replace(/^\[|\]$/g, '')) !== 0
