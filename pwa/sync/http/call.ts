import type { EndpointName } from '#shared/contract/endpoints.ts'
import { isProblem, type Problem } from '#shared/contract/problem.ts'
import { headers, isOurAnswer, requestFor, wireVersion, type Values } from '#shared/contract/request.ts'
import type { Answer, Call } from '#shared/contract/route.ts'
import type { RouteName, Routes } from '#shared/api/routes.ts'
import { actingOrganizer } from '../../browser/acting.ts'
import { piecesOf } from '../drain/transport.ts'
import { parsed } from '#shared/text/parsed.ts'
import { isOfContract } from './answer-shape.ts'
import { noteCut } from './cut-lists.ts'
import { fetchWhole } from './fetch-whole.ts'
import { serverEpoch, isTooOld, noteAnswered, noteUnanswered } from './reachability.ts'
import { noteServerDate } from './server-time.ts'

/** No answer of our server came (no network, a portal's page, a cut connection). What was sent may have arrived. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable'
  constructor(cause?: unknown) {
    super('Beaconry cannot be reached right now.', { cause })
  }
}

/** Our server refused, with a reason that is written for people. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly status: number
  readonly problem: Problem
  readonly retryAfterSeconds: number | null
  constructor(status: number, problem: Problem, retryAfterSeconds: number | null) {
    super(problem.message)
    this.status = status
    this.problem = problem
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** The answer has `X-Beaconry` and is no Problem: the server failed, or a proxy before it. */
export class Broken extends Error {
  override readonly name = 'Broken'
  readonly status: number
  constructor(status: number, text: string) {
    super(text)
    this.status = status
  }
}

export interface Sender {
  readonly deviceId: string
  readonly deviceName: string
  readonly account: number | null
}

let sender: (name: EndpointName) => Promise<Sender | null> = async () => null
const refusalListeners = new Set<(name: EndpointName, refused: Refused) => void>()

/** The start does it once. When `describe` rejects, nothing is sent and the call rejects, too. */
export function describeSender(describe: (name: EndpointName) => Promise<Sender | null>): void {
  sender = describe
}

export function onRefusal(listener: (name: EndpointName, refused: Refused) => void): () => void {
  refusalListeners.add(listener)
  return () => refusalListeners.delete(listener)
}

interface CallOptions {
  /** Absent: each call makes its own. */
  readonly key?: string
  readonly signal?: AbortSignal
  /** Opens an applicant's own page; travels in a header, never in an address. */
  readonly applicationToken?: string
  /** Nothing of the answer may come for this long; the default is 20 s. */
  readonly silenceMs?: number
}

export type Arguments<N extends RouteName> = Call<Routes[N]> & CallOptions

interface AnyArguments extends CallOptions {
  readonly params?: Values
  readonly query?: Values
  readonly body?: unknown
}

/** @throws Unreachable, Refused or Broken; also the signal's own abort reason */
export async function call<N extends RouteName>(name: N, args?: Arguments<N>): Promise<Answer<Routes[N]>> {
  const given = (args ?? {}) as AnyArguments
  const { signal, silenceMs } = given
  const question = [name, given.query?.['collection']].join(' ')
  const request = await requestOf(name, given)
  let response: Response
  let text: string
  try {
    const sentAtMs = performance.now()
    const init = signal ? { ...request.init, signal } : request.init
    const whole = await fetchWhole(request.url, init, (head) => noteServerDate(head, sentAtMs), silenceMs)
    response = whole.response
    text = new TextDecoder().decode(whole.body)
  } catch (error) {
    signal?.throwIfAborted()
    throw unreachable(question, error)
  }
  return readAndTell(name, question, response, text) as Answer<Routes[N]>
}

/** @returns the stream's text piece by piece @throws Unreachable, Refused or Broken */
export async function openStream(signal: AbortSignal): Promise<AsyncIterable<string>> {
  const name = 'openStream'
  const request = await requestOf(name, {})
  let response: Response
  try {
    const sentAtMs = performance.now()
    response = await fetch(request.url, { ...request.init, signal })
    // A stream of something on the way may never end.
    if (!isOurs(response)) {
      void response.body?.cancel().catch(() => undefined)
      throw new Unreachable(`status ${response.status} without ${headers.serverVersion}`)
    }
    noteServerDate(response, sentAtMs)
    if (!response.ok || !response.body || !isEventStream(response)) {
      readAndTell(name, name, response, await response.text())
      throw new Unreachable(`status ${response.status} without a stream`)
    }
  } catch (error) {
    // Not noted as unanswered: much on the way lets calls pass and no streams.
    if (error instanceof Refused || error instanceof Broken || error instanceof Unreachable) throw error
    throw new Unreachable(error)
  }
  return piecesOf(response.body)
}

function unreachable(question: string, cause: unknown): Unreachable {
  noteUnanswered(question)
  return new Unreachable(cause)
}

const isOurs = (response: Pick<Response, 'headers'>) => isOurAnswer(response.headers.get(headers.serverVersion))

const isEventStream = (response: Response) =>
  response.headers.get('Content-Type')?.startsWith('text/event-stream') ?? false

function readAndTell(name: EndpointName, question: string, response: Response, text: string): unknown {
  try {
    const answer = readAnswer(question, response, text)
    if (isOfContract(name, answer)) {
      if (Array.isArray(answer) && response.headers.has('Link')) noteCut(answer)
      return answer
    }
    throw unreachable(question, `an answer to ${name} that is not the contract's`)
  } catch (error) {
    if (error instanceof Refused) for (const listener of refusalListeners) listener(name, error)
    if (error instanceof Refused && error.status === 426) isTooOld.set(true)
    throw error
  }
}

async function requestOf(
  name: EndpointName,
  { params, query, body, key, applicationToken }: AnyArguments,
): Promise<{ url: string; init: RequestInit }> {
  const { method, url } = requestFor(name, params, query)
  const from = await sender(name)
  const sent = new Headers({ Accept: 'application/json', [headers.appVersion]: String(wireVersion) })
  if (from) {
    sent.set(headers.deviceId, from.deviceId)
    sent.set(headers.deviceName, encodeURIComponent(from.deviceName))
    if (from.account !== null) sent.set(headers.account, String(from.account))
  }
  const organizerId = actingOrganizer()
  // Membership itself is read from the own account's feed, which is asked for as anybody's.
  if (organizerId !== undefined && query?.['scope'] !== 'account') sent.set(headers.organizer, String(organizerId))
  if (method !== 'GET') sent.set(headers.idempotencyKey, key ?? crypto.randomUUID())
  if (body !== undefined) sent.set('Content-Type', 'application/json')
  if (applicationToken !== undefined) sent.set(headers.applicationToken, applicationToken)
  return {
    url,
    init: {
      method,
      headers: sent,
      credentials: 'same-origin',
      // What may be kept is asked about each time; the server forbids keeping the rest.
      cache: 'no-cache',
      redirect: 'error',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    },
  }
}

/**
 * A test needs it, too.
 * @param question for `noteAnswered`
 */
export function readAnswer(
  question: string,
  response: Pick<Response, 'ok' | 'status' | 'statusText' | 'headers'>,
  text: string,
): unknown {
  if (!isOurs(response)) throw unreachable(question, `status ${response.status} without ${headers.serverVersion}`)
  const epoch = response.headers.get(headers.epoch)
  if (epoch !== null) serverEpoch.set(epoch)
  const json = parsed(text)
  if (response.ok && json === undefined && (text !== '' || response.status !== 204))
    throw unreachable(question, `status ${response.status} with an unreadable body`)
  noteAnswered(question)
  if (response.ok) return json
  if (isProblem(json)) {
    const message = [json.message, json.advice].join(' ').trim()
    throw new Refused(response.status, { ...json, message }, retryAfter(response))
  }
  throw new Broken(response.status, errorText(response, text, json))
}

function retryAfter(response: Pick<Response, 'headers'>): number | null {
  const seconds = Number(response.headers.get('Retry-After') ?? NaN)
  return Number.isFinite(seconds) ? seconds : null
}

/**
 * Returns the body's message if it is JSON, else the text or status text, else the code with its text (specification,
 * section 8).
 */
function errorText(response: Pick<Response, 'status' | 'statusText'>, text: string, json: unknown): string {
  if (typeof json === 'object' && json !== null && 'message' in json && typeof json.message === 'string')
    return json.message
  return text.trim() || response.statusText || `${response.status}: ${response.statusText}`
}
