import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { Router } from '@koa/router'
import type Koa from 'koa'
import { endpoint } from '#shared/contract/endpoints.ts'
import { headers, requestFor, type Values } from '#shared/contract/request.ts'
import type { RouteSpec } from '#shared/contract/route.ts'
import type { Role } from '#shared/contract/roles.ts'
import { routes, type RouteName } from '#shared/api/routes.ts'
import { addressSubject } from './address-subject.ts'
import type { Device, DocumentRouteName } from '../calls/handler.ts'
import { bodyLimitOf, refusal, type Outcome, type RouteCall } from '../calls/call.ts'
import type { Pipeline } from '../calls/pipeline.ts'
import { asProblem, ProblemError } from '../calls/problems.ts'
import { readJsonBody } from '../calls/request-body.ts'
import { isRobot } from './is-robot.ts'
import { endSession, startSession, type SessionState } from './session-cookies.ts'

/** The limit admits a full batch of long applications. */
const BATCH_BODY_LIMIT = 2 * 1024 * 1024

export interface ApiState extends SessionState {
  requestId: string
  /** For log and figures: the path itself may hold anything. */
  route?: RouteName
}
export type ApiContext = Koa.ParameterizedContext<ApiState>

type StreamRouteName = Exclude<RouteName, DocumentRouteName>
type StreamHandlers = { readonly [N in StreamRouteName]: (ctx: ApiContext, call: RouteCall) => Promise<void> }

export interface MountParts {
  readonly runCall: Pipeline['runCall']
  readonly streams: StreamHandlers
  /** Tells what a user is on an organizer's team. */
  readonly findRole: (organizerId: number, userId: number) => Promise<Role | undefined>
  readonly publicOrigin: string
}

/** Unknown paths under /api get a Problem too. */
export function mountRoutes({ runCall, streams, findRole, publicOrigin }: MountParts): Koa.Middleware<ApiState> {
  const router = new Router<ApiState>()
  for (const name of Object.keys(routes) as RouteName[]) {
    const { method, path } = endpoint(name)
    router.register(path.replace(/\{(\w+)\}/g, ':$1'), [method], async (ctx: ApiContext) => {
      const spec: RouteSpec = routes[name]
      ctx.state.route = name
      const given = givenKey(ctx, spec)
      // To our app an answer that names its key is the server's word for that change, so only a given key is repeated.
      if (given !== null) ctx.set(headers.acknowledged, given)
      checkSameSite(method, ctx.headers, publicOrigin)
      // A sender without a key never repeats the call.
      const key = given ?? (spec.repeatable === 'key' ? randomUUID() : null)
      const call = await callFor(await readCall(ctx, name, key), spec, ctx.get(headers.organizer), findRole)
      if (isStream(name)) await streams[name](ctx, call)
      else await answer(ctx, await runCall(name, call), name, call)
    })
  }
  const routed = router.routes()
  return async (ctx) => {
    await routed(ctx as never, async () => {
      const { path } = router.match(ctx.path, ctx.method)
      if (path.length === 0) throw new ProblemError('not_found', 'There is no such call.')
      ctx.set('Allow', [...new Set(path.flatMap((layer) => layer.methods))].join(', '))
      throw new ProblemError('method_not_allowed', `${ctx.method} is not possible here.`)
    })
  }
}

export const answerProblems: Koa.Middleware<ApiState> = async (ctx, next) => {
  try {
    await next()
  } catch (error) {
    const problem = asProblem(error)
    ctx.app.emit('error', error, ctx)
    // The rest of an oversized body would be read as the next request.
    if (problem.code === 'too_large') ctx.set('Connection', 'close')
    writeOutcome(ctx, refusal(problem, ctx.state.requestId))
  }
}

function isStream(name: RouteName): name is StreamRouteName {
  return (routes[name] as RouteSpec).streams !== undefined
}

/** Returns null without a key. Throws when it is no uuid, which also keeps odd texts out of our headers. */
function givenKey(ctx: ApiContext, spec: RouteSpec): string | null {
  const key = ctx.get(headers.idempotencyKey)
  if (key === '' || (spec.repeatable !== 'key' && spec.streams !== 'application/x-ndjson')) return null
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(key)) {
    throw new ProblemError('invalid_input', 'The Idempotency-Key must be a uuid.')
  }
  return key.toLowerCase()
}

/**
 * Describes the call as a member of an organizer's team makes it. A call that no team makes is about the caller's own
 * account, and the header counts for nothing. The device's name says who held it, since the organizer knows the devices
 * of others by nothing else.
 */
async function callFor(
  call: RouteCall,
  { team, access }: RouteSpec,
  organizer: string,
  findRole: MountParts['findRole'],
): Promise<RouteCall> {
  if (organizer === '') return call
  if (!/^\d{1,9}$/.test(organizer)) throw new ProblemError('invalid_input', 'X-Organizer must be a number.')
  const organizerId = Number(organizer)
  const { caller, device } = call
  if (!caller || caller.userId === organizerId || (team === undefined && access !== 'owner')) return call
  const role = (await findRole(organizerId, caller.userId)) ?? null
  return {
    ...call,
    caller: { ...caller, organizerId, role },
    device: device && { ...device, name: device.name === '' ? caller.username : `${device.name} (${caller.username})` },
  }
}

async function readCall(ctx: ApiContext, name: RouteName, key: string | null): Promise<RouteCall> {
  const query = new Map<string, string>()
  for (const [field, value] of new URLSearchParams(ctx.querystring)) {
    if (query.has(field)) {
      const shown = field.slice(0, 100)
      throw new ProblemError('invalid_input', `${shown} is given twice.`, { fields: { [shown]: 'Given twice' } })
    }
    query.set(field, value)
  }
  const account = ctx.get(headers.account)
  if (account !== '' && !/^\d{1,9}$/.test(account))
    throw new ProblemError('invalid_input', 'X-Account must be a number.')
  const bodyLimit = name === 'replayMutations' ? BATCH_BODY_LIMIT : bodyLimitOf(routes[name])
  const body = ctx.method === 'GET' || ctx.method === 'HEAD' ? undefined : await readJsonBody(ctx.req, bodyLimit)
  return {
    params: (ctx as ApiContext & { params?: Record<string, string> }).params ?? {},
    query: Object.fromEntries(query),
    body,
    caller: ctx.state.caller,
    signedOut: ctx.state.signedOut,
    device: readDevice(ctx) ?? ctx.state.sessionDevice,
    sessionHash: ctx.state.sessionHash,
    browser: ctx.state.browser,
    address: addressSubject(ctx.ip),
    applicationToken: ctx.get(headers.applicationToken) || null,
    isRobot: isRobot(ctx.req.headers),
    requestId: ctx.state.requestId,
    key,
    account: account === '' ? null : Number(account),
    again: false,
    basis: undefined,
  }
}

/** A broken name counts as none. */
function readDevice(ctx: ApiContext): Device | null {
  const id = ctx.get(headers.deviceId)
  if (!/^[\w-]{1,64}$/.test(id)) return null
  let name = ''
  try {
    name = decodeURIComponent(ctx.get(headers.deviceName))
      .replace(/\p{Cc}/gu, ' ')
      .trim()
      .slice(0, 80)
      // The cut may leave half a character.
      .replace(/\p{Surrogate}/gu, '')
  } catch {
    // The phone's name is not percent-encoded.
  }
  return { id, name }
}

async function answer(ctx: ApiContext, outcome: Outcome, name: RouteName, call: RouteCall): Promise<void> {
  const { device, params, query } = call
  if (outcome.session === 'sign-out') endSession(ctx)
  else if (outcome.session && 'signIn' in outcome.session) await startSession(ctx, outcome.session.signIn, device)
  else if (outcome.session) await ctx.state.rememberBrowser?.(outcome.session.rememberBrowser)
  if (outcome.next) {
    const { url } = requestFor(name, params as Values, { ...(query as Values), after: outcome.next })
    ctx.set('Link', `<${url}>; rel="next"`)
  }
  writeOutcome(ctx, outcome)
  if (outcome.etag === undefined) return
  ctx.set('ETag', `W/"${outcome.etag}"`)
  if (ctx.fresh) ctx.status = 304
}

function writeOutcome(ctx: ApiContext, outcome: Outcome): void {
  ctx.status = outcome.status
  if (outcome.version !== null) ctx.set(headers.version, String(outcome.version))
  if (outcome.checkpoint !== undefined) ctx.set(headers.checkpoint, outcome.checkpoint)
  if (outcome.retryAfterSeconds !== undefined) ctx.set('Retry-After', String(Math.ceil(outcome.retryAfterSeconds)))
  if (outcome.text === null) {
    ctx.body = null
    ctx.status = outcome.status
    return
  }
  ctx.type = 'application/json; charset=utf-8'
  ctx.body = outcome.text
}

/**
 * Throws when another site's page made a changing request. A token fetched beforehand would break an offline queue;
 * browsers have sent Sec-Fetch-Site since 2020, which a page cannot forge. Senders without it are programs. Go's
 * http.CrossOriginProtection works the same way.
 */
function checkSameSite(method: string, headers: IncomingHttpHeaders, publicOrigin: string): void {
  if (method === 'GET' || method === 'HEAD') return
  if (!comesFromHere(headers, publicOrigin)) {
    throw new ProblemError('cross_site', 'This request did not come from this site.')
  }
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  if (hasBody && !/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')) {
    throw new ProblemError('unsupported_media_type', 'The body must be JSON (Content-Type: application/json).')
  }
}

/** A repeated header holds both values with a comma, and so equals nothing allowed. */
function comesFromHere({ 'sec-fetch-site': site, origin }: IncomingHttpHeaders, publicOrigin: string): boolean {
  if (site === 'same-origin') return true
  // 'none' is a person's own doing, such as a bookmark; a foreign origin contradicts that.
  if (site === undefined || site === 'none') return origin === undefined || origin === publicOrigin
  return false
}
