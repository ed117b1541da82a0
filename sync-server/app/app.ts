import { createServer, type Server } from 'node:http'
import { fileURLToPath } from 'node:url'
import Koa from 'koa'
import compose from 'koa-compose'
import type { Knex } from 'knex'
import type { Logger } from 'pino'
import type { PublicEvent } from '#shared/events/event-calls.ts'
import { headers } from '#shared/contract/request.ts'
import type { RouteSpec } from '#shared/contract/route.ts'
import { routes } from '#shared/api/routes.ts'
import type { PaymentService } from '../billing/payment-service.ts'
import { stripeWebhook } from '../billing/stripe-webhook.ts'
import { createMetrics, healthRoutes, isOfThisMachine, onlyOwnNames } from '../http/operation.ts'
import type { Config } from '../config.ts'
import { directConnectionOf } from '../db/knex-config.ts'
import { calendarFiles, siteMap } from '../http/pages/site-files.ts'
import { previewPictures } from '../http/pages/preview-picture.ts'
import { demoAccountsFile, plansToDashboard, securityText, type DemoAccount } from '../http/pages/server-files.ts'
import { compressTexts } from '../http/compress.ts'
import { pageDescriber, type FindPublicEvent } from '../http/pages/describe-page.ts'
import type { Handlers } from '../calls/handler.ts'
import { createPipeline } from '../calls/pipeline.ts'
import { securityHeaders } from '../http/headers.ts'
import { createLimits } from '../calls/limits.ts'
import { logFailure } from '../calls/failure-log.ts'
import { asProblem } from '../calls/problems.ts'
import { answerProblems, mountRoutes, type ApiState } from '../http/mount.ts'
import { openPort } from '../http/open-port.ts'
import { sessionMiddleware } from '../http/session-cookies.ts'
import { staticFiles } from '../http/static-files.ts'
import type { PresentTouched } from '../calls/touched.ts'
import { setAnswerHeaders, oldestWireVersion, refuseOldApps } from '../http/wire-version.ts'
import { findPublicEvent } from '../events/event-presenter.ts'
import { findRole } from '../team/team-store.ts'
import { presentTouched, showTo } from './nouns.ts'
import { mailPreview } from '../applications/mails/mail-handlers.ts'
import { unsubscribePage } from '../accounts/mails/unsubscribe.ts'
import { replayMutations } from '../sync/replay-handler.ts'
import { noticeFailover } from './database-went-back.ts'
import { followEpoch } from '../feed/epoch.ts'
import { startFeedListener } from '../feed/feed-listener.ts'
import { createLiveStreams, openStream } from '../sync/stream-handler.ts'
import { coverReader } from '../pictures/cover-reader.ts'
import { pictureFiles } from '../pictures/picture-files.ts'

/** The folder is two steps up, both from the sources and from dist/server. */
const builtApp = fileURLToPath(new URL('../../dist/pwa', import.meta.url))

export interface AppParts {
  readonly db: Knex
  readonly config: Config
  readonly log: Logger
  readonly handlers: Handlers
  readonly payments?: PaymentService | null
  readonly now?: () => Date
  /** A demo's sign-in page shows them. */
  readonly demoAccounts?: readonly DemoAccount[]
  /** The built app is in dist/pwa by default. */
  readonly staticFolder?: string
  /** The default is `presentTouched`. */
  readonly present?: PresentTouched
  /** The default is `oldestWireVersion`. */
  readonly oldestWireVersion?: number
}

export type App = Awaited<ReturnType<typeof createApp>>

/** The parts are put together in the order in which a request passes them. */
export async function createApp(parts: AppParts) {
  const { db, config, log, handlers, now = () => new Date() } = parts
  const listener = await startFeedListener(directConnectionOf(db).connectionString, log)
  listener.onResumed(() => {
    // A database that cannot be asked is listened to again, and asked then.
    void noticeFailover(db, log).catch(() => undefined)
  })
  const epoch = await followEpoch(db, listener).catch(async (error: unknown) => {
    await listener.close()
    throw error
  })
  const limits = createLimits(db)
  const liveStreams = createLiveStreams(db, listener)
  const metrics = createMetrics(liveStreams.count, db)
  let leaving = false
  let draining = false

  const { runCall, runCalls } = createPipeline({
    db,
    config,
    log,
    handlers,
    present: parts.present ?? presentTouched,
    showTo,
    spend: limits.spend,
    now,
  })
  const streams = {
    openStream: openStream(liveStreams, () => draining),
    replayMutations: replayMutations({ db, runCalls, log }),
  }

  const koa = new Koa<ApiState>({ proxy: config.proxies > 0, maxIpsCount: config.proxies })
  koa.on('error', (error: unknown, ctx?: Koa.ParameterizedContext<ApiState>) => {
    const about = { route: ctx?.state.route, requestId: ctx?.state.requestId }
    if (isClientGone(error)) log.debug({ ...about, code: (error as { code: string }).code }, 'a client went away')
    else logFailure(log, error, { ...about, message: 'a request failed' })
  })

  koa.use(nameRequest)
  koa.use(securityHeaders(config.publicOrigin.startsWith('https:')))
  const vitals = { isListening: listener.isAlive, hearsItself: () => listener.hearsItself(db) }
  koa.use(healthRoutes({ db, ...vitals, isDraining: () => leaving }))
  if (config.role === 'jobs') koa.use(noCalls)
  koa.use(onlyOwnNames(config))
  koa.use(metrics.middleware)
  const api = compose<Koa.ParameterizedContext<ApiState>>([
    setAnswerHeaders(epoch),
    stripeWebhook({ db, service: parts.payments ?? null, log, now }),
    logCall(log, () => leaving),
    forbidCaching,
    compressTexts(),
    answerProblems,
    refuseOldApps(parts.oldestWireVersion ?? oldestWireVersion),
    sessionMiddleware(koa, db, config.publicOrigin, now),
    mountRoutes({
      runCall,
      streams,
      findRole: async (organizerId, userId) => await findRole(db, organizerId, userId),
      publicOrigin: config.publicOrigin,
    }),
  ])
  koa.use(async (ctx, next) => (/^\/api(\/|$)/.test(ctx.path) ? await api(ctx, next) : await next()))
  koa.use(demoAccountsFile(parts.demoAccounts ?? []))
  koa.use(mailPreview(db, config, isOfThisMachine))
  koa.use(unsubscribePage(db))
  const site = { db, publicOrigin: config.publicOrigin, findPublicEvent: publicEvents(db) }
  koa.use(securityText(config.securityContact, config.publicOrigin, now))
  const hasPlans = config.billing !== 'off'
  if (!hasPlans) koa.use(plansToDashboard)
  koa.use(siteMap({ ...site, hasPlans, now }))
  koa.use(calendarFiles(site))
  koa.use(previewPictures({ ...site, covers: coverReader(db) }))
  koa.use(pictureFiles(db))
  const cardPayments = config.billing === 'stripe' ? { standIn: config.stripeScriptOrigin } : null
  koa.use(compressTexts())
  koa.use(staticFiles(parts.staticFolder ?? builtApp, pageDescriber(site), { cardPayments, hasPlans }))

  return {
    koa,
    metrics,
    /** It turns readiness red, and the server answers all the same. */
    leave: (): void => {
      leaving = true
    },
    /** Also sends every live stream away. */
    drain: (): void => {
      leaving = true
      draining = true
      liveStreams.sendAway()
    },
    /** Closes what `createApp` opened; not `db`. */
    close: async (): Promise<void> => {
      await Promise.all([listener.close(), limits.close()])
    },
  }
}

/**
 * For receiving a request; an answer may take any time. A picture needs 10 minutes on a line of 250 bytes a second;
 * `readBody` ends a body that does not go on. By Node's default check of every 30 s, 15 s could become 45.
 */
export const requestTimes = { wholeMs: 900_000, headMs: 15_000, checkMs: 1000 }

/** `origin` has the port when `config.port` is 0. Throws `PortUnavailable`. */
export async function listen(
  app: App,
  config: Pick<Config, 'host' | 'port'>,
  { wholeMs, headMs, checkMs } = requestTimes,
): Promise<{ server: Server; origin: string }> {
  const handle = app.koa.callback()
  const times = { requestTimeout: wholeMs, headersTimeout: headMs, connectionsCheckingInterval: checkMs }
  const server = createServer(times, (request, response) => void handle(request, response))
  // Longer than the idle time of the proxies in front: none reuses a connection that is being closed.
  server.keepAliveTimeout = 75_000
  await openPort(server, { port: config.port, host: config.host, setting: 'PORT' })
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : config.port
  return {
    server,
    origin: `http://${config.host === '0.0.0.0' || config.host === '::' ? 'localhost' : config.host}:${port}`,
  }
}

const publicEvents =
  (db: Knex): FindPublicEvent =>
  async (id) => {
    const found = await findPublicEvent(db, id)
    return found && { event: JSON.parse(found.jsonText) as PublicEvent, changedAt: found.changedAt }
  }

/** Koa would answer a failure outside of /api without a number. */
const nameRequest: Koa.Middleware<ApiState> = async (ctx, next) => {
  const requestId = globalThis.crypto.randomUUID()
  ctx.state.requestId = requestId
  ctx.set(headers.requestId, requestId)
  try {
    await next()
  } catch (error) {
    const problem = asProblem(error)
    if (ctx.headerSent || (error as { expose?: unknown }).expose) throw error
    ctx.app.emit('error', error, ctx)
    ctx.status = problem.status
    ctx.type = 'text/plain; charset=utf-8'
    ctx.set('Cache-Control', 'no-store')
    const { message, advice = '' } = problem.toProblem(requestId)
    const { retryAfterSeconds } = problem.details
    if (retryAfterSeconds !== undefined) ctx.set('Retry-After', String(retryAfterSeconds))
    ctx.body = `${message} ${advice}`.trimEnd() + '\n'
  }
}

function logCall(log: Logger, isLeaving: () => boolean): Koa.Middleware<ApiState> {
  return async (ctx, next) => {
    if (isLeaving()) ctx.set('Connection', 'close')
    const startedAt = performance.now()
    await next()
    const ms = Math.round(performance.now() - startedAt)
    const line = { requestId: ctx.state.requestId, route: ctx.state.route, status: ctx.status, ms }
    if (ctx.method === 'GET' && ctx.status < 400) log.debug(line, 'call')
    else log.info(line, 'call')
  }
}

const noCalls: Koa.Middleware = (ctx) => {
  ctx.status = 404
  ctx.body = 'This process does jobs alone: it answers /healthz and /readyz.\n'
}

/** Only what is the same for all may be cached, and is revalidated. */
const forbidCaching: Koa.Middleware<ApiState> = async (ctx, next) => {
  await next()
  if (ctx.headerSent) return
  const { route, caller } = ctx.state
  const spec: RouteSpec | undefined = route && routes[route]
  const isRead = ctx.method === 'GET' || ctx.method === 'HEAD'
  const isForAll = isRead && !caller && spec?.access === 'anyone' && spec.header === undefined
  ctx.set('Cache-Control', isForAll ? 'no-cache' : 'no-store')
}

const goneCodes = new Set([
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ERR_HTTP_REQUEST_TIMEOUT',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_DESTROYED',
])

function isClientGone(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' && (goneCodes.has(code) || code.startsWith('HPE_'))
}
