import { routes } from '#shared/api/routes.ts'
import { isProblem } from '#shared/contract/problem.ts'
import { headers as wire, isOurAnswer } from '#shared/contract/request.ts'
import type { RouteSpec } from '#shared/contract/route.ts'
import type { FuzzRequest } from './requests.ts'
import { sizeOf, type FuzzAnswer } from './sender.ts'

const kB = 1024

/**
 * How large an answer may be. What is read may be as large as what is kept: `stored` bytes came in and were accepted, and
 * JSON writes one of them in up to six characters. A file of the built app, or a page with an event in it, is at most
 * `largestPage`. A change answers the one document it made or met, which no accepted request was larger than. Everything
 * else, refusals above all, is at most 20 times its request and a little.
 */
function largestAnswer(request: FuzzRequest, { status }: FuzzAnswer, stored: number): number {
  const own = 20 * sizeOf(request) + 4 * kB
  if (request.path.startsWith('/mail-preview')) return Math.max(own, 6 * stored)
  if (request.route === 'page' || !request.path.startsWith('/api/')) return Math.max(own, largestPage)
  if (status < 300 && request.method === 'GET') return Math.max(own, largestDescription + 6 * stored)
  if (status < 300 || status === 409) return Math.max(own, largestDocument)
  return own
}

const largestPage = 1024 * kB
/** The OpenAPI document. */
const largestDescription = 512 * kB
/** A body of 64 kB in the longest way of writing it. */
const largestDocument = 6 * 64 * kB
/** Node itself refuses what is no HTTP, before anything of ours has seen it. */
const refusedByNode = new Set([400, 408, 413, 417, 431])

/** Who sends a request. */
export const callers = [
  'anonymous',
  'organizer',
  'organizer',
  'other organizer',
  'admin',
  'expired',
  'garbage',
] as const
export type Caller = (typeof callers)[number]

/** Whether the table lets them make the call; whose an event is does not count. */
function mayCall({ route }: FuzzRequest, caller: Caller): boolean {
  const access = route === 'page' ? 'anyone' : (routes[route] as RouteSpec).access
  const isSignedIn = caller === 'admin' || caller.endsWith('organizer')
  return access === 'anyone' || (access === 'admin' ? caller === 'admin' : isSignedIn)
}

/** What is wrong about an answer; undefined when nothing is. */
export function complaint(
  request: FuzzRequest,
  caller: Caller,
  answer: FuzzAnswer,
  stored: number,
): string | undefined {
  const { status, headers, text, size, failure, ms } = answer
  if (failure !== undefined) return `was not answered: ${failure}`
  if (request.isPlain && status < 300 && !mayCall(request, caller)) return `let ${caller} do what they may not`
  if (/ at .{1,200}:\d+:\d+/.test(text) && status >= 400) return `shows its insides: ${text.slice(0, 300)}`
  const isBusy = status === 503 && headers['retry-after'] !== undefined
  if (status >= 500 && !isBusy) return `answered ${status}: ${text.slice(0, 300)}`
  if (ms > 10_000) return `took ${Math.round(ms)} ms`
  const max = largestAnswer(request, answer, stored)
  if (size > max) return `answered ${size} bytes, more than ${max}, to ${sizeOf(request)}`
  if (!/^\/api(\/|\?|$)/.test(request.path)) return undefined
  const byNode = refusedByNode.has(status) && headers['x-content-type-options'] === undefined
  // Under a name that is not its own the server is not ours.
  const isMisdirected = status === 421
  if (byNode || isMisdirected) return undefined
  if (!isOurAnswer(String(headers[wire.serverVersion.toLowerCase()] ?? '')))
    return `does not bear X-Beaconry (${status})`
  if (request.method === 'HEAD' || status < 400 || headers['content-encoding'] !== undefined) return undefined
  if (!isProblem(parsed(text))) return `refused with ${status} in no shape of ours: ${text.slice(0, 200)}`
  return undefined
}

/** The JSON of a text; undefined when it is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
