import { headers, isOurAnswer, requestFor } from '#shared/contract/request.ts'
import { reachability } from '../../sync/index.ts'
import { writeText } from '../../browser/browser-storage.ts'
import { readJson } from '../../browser/kept-json.ts'
import { afterTry, placeOf, withError, withoutSent, type KeptError } from './error-report.ts'
import { keptErrors } from './kept-errors.ts'

/** Errors that come together are one report. */
const gatherMs = 3_000

function readKept(): readonly KeptError[] {
  const kept = readJson(keptErrors)
  return Array.isArray(kept) ? (kept as KeptError[]) : []
}

const keep = (list: readonly KeptError[]) => writeText(keptErrors, list.length > 0 ? JSON.stringify(list) : null)

/** Does not use `call`, which names the device and its account. */
async function report(errors: readonly KeptError[]): Promise<'answered' | 'unanswered'> {
  const { method, url } = requestFor('reportErrors')
  const body = JSON.stringify({ errors: errors.map(({ tries: _tries, ...error }) => error) })
  const type = { 'Content-Type': 'application/json' }
  try {
    const { status, headers: said } = await fetch(url, {
      method,
      headers: type,
      body,
      credentials: 'omit',
      keepalive: true,
    })
    // What the server refuses, such as too many from one network, it would refuse again.
    return isOurAnswer(said.get(headers.serverVersion)) && status < 500 ? 'answered' : 'unanswered'
  } catch {
    return 'unanswered'
  }
}

async function send(): Promise<void> {
  await navigator.locks.request(keptErrors, { ifAvailable: true }, async (lock) => {
    const sent = readKept()
    if (lock === null || sent.length === 0) return
    keep(afterTry(sent))
    if ((await report(sent)) === 'answered') keep(withoutSent(readKept(), sent))
  })
}

let timer: ReturnType<typeof setTimeout> | undefined

function sendSoon(): void {
  timer ??= setTimeout(() => {
    timer = undefined
    void send().catch(() => undefined)
  }, gatherMs)
}

/** A try where nothing can arrive would be wasted. */
function sendIfReachable(): void {
  if (navigator.onLine && reachability.get() !== 'unreachable') sendSoon()
}

sendIfReachable()
reachability.subscribe(sendIfReachable)
// On a page that asks nothing more, reachability does not change.
addEventListener('online', sendSoon)

/** An error in a loop must not keep the page busy. */
let left = 100

/** Undefined sends what an earlier page has kept. */
export function noteError(error: unknown): void {
  left -= 1
  if (left < 0) return
  const { origin, pathname } = location
  const place = placeOf(error, { origin, pathname, version: String(import.meta.env.VERSION) })
  if (place === undefined) return
  keep(withError(readKept(), place))
  sendIfReachable()
}
