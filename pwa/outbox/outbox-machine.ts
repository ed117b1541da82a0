import type { Entry } from './entry.ts'
import type { Verdict } from './drain/verdict.ts'

/** Everything that can happen to an entry after it was queued. */
export type EntryEvent =
  | { readonly type: 'hold-over' }
  | { readonly type: 'claimed' }
  /** Found as `sending` by a drainer that did not send it: whoever did is gone, and so is the answer. */
  | { readonly type: 'left-behind' }
  /** The server did not run it, because an earlier change of its lane was not done. */
  | { readonly type: 'untouched' }
  | { readonly type: 'verdict'; readonly verdict: Verdict; readonly now: number; readonly random: number }
  | { readonly type: 'signed-in' }
  /** There is reason to believe in a network again. */
  | { readonly type: 'triggered' }
  | { readonly type: 'retried'; readonly key: string; readonly args: unknown; readonly argsVersion: number }
  | { readonly type: 'edited'; readonly args: unknown; readonly argsVersion: number }
  | { readonly type: 'blocked' }
  | { readonly type: 'unblocked' }
  | { readonly type: 'discard-asked' }
  | { readonly type: 'cancelled' }
  | { readonly type: 'cancel-failed'; readonly now: number; readonly random: number }
  | { readonly type: 'already-happened' }
  /** The server went back to a time before it took the change. */
  | { readonly type: 'forgotten' }

const second = 1000
const longestWaitMs = 300 * second
/** No undo window is longer than this. */
export const longestHoldMs = 30 * second
/** Without a network the 30 s timer is the longest anyone waits. */
const longestWaitOfflineMs = 30 * second

/** How long to wait after a number of attempts, 1 s to 5 min; `random` (0–1) spreads phones that failed together. */
export function backoffMs(attempts: number, random: number): number {
  const doubled = second * 2 ** Math.min(Math.max(attempts, 1) - 1, 10)
  return Math.min(longestWaitMs, Math.max(second, doubled * (0.5 + random)))
}

/**
 * Whether an entry's waiting time is over. A wait longer than any that it can have been given means that the phone's clock was
 * set back: then it is over too.
 */
export function isDue(entry: Pick<Entry, 'nextAt' | 'state' | 'attempts' | 'serverAsked'>, now: number): boolean {
  return entry.nextAt <= now || entry.nextAt - now > longestWaitOf(entry)
}

function longestWaitOf({ state, attempts, serverAsked }: Pick<Entry, 'state' | 'attempts' | 'serverAsked'>): number {
  if (state === 'held') return longestHoldMs
  return serverAsked ? longestWaitMs : backoffMs(attempts, 1)
}

/** It was never put into a request, so nobody but this phone knows of it. */
export function neverLeft(entry: Pick<Entry, 'attempts' | 'state'>): boolean {
  return entry.attempts === 0 && (entry.state === 'held' || entry.state === 'queued' || entry.state === 'blocked')
}

/**
 * Its key has to be forbidden on the server before anything else: it was given up, or sent with a count that turned out
 * wrong, which somebody else's change could make look right meanwhile.
 */
export function mustBeForbidden(entry: Pick<Entry, 'discarding' | 'madeOn'>): boolean {
  return entry.discarding === true || entry.madeOn !== undefined
}

type Bare = Omit<Entry, 'acknowledged' | 'refusal' | 'serverAsked' | 'discarding'>

/** The entry without what belongs to its present state only. */
function bare(entry: Entry): Bare {
  const {
    acknowledged: _acknowledged,
    refusal: _refusal,
    serverAsked: _serverAsked,
    discarding: _discarding,
    ...rest
  } = entry
  return rest
}

function withoutMadeOn({ madeOn: _madeOn, ...rest }: Bare): Bare {
  return rest
}

const withDiscarding = (entry: Entry) => (entry.discarding ? ({ discarding: true } as const) : {})

function requeued(entry: Entry, nextAt: number): Entry {
  return { ...bare(entry), ...withDiscarding(entry), state: 'queued', nextAt }
}

function judged(entry: Entry, verdict: Verdict, now: number, random: number): Entry | 'gone' {
  if (entry.state === 'held' || entry.state === 'parked' || entry.state === 'acknowledged') return entry
  // The truth about a change is believed whenever it arrives, also after a drainer that was frozen for an hour.
  if (verdict.kind === 'acknowledged') {
    const { kind: _kind, ...acknowledged } = verdict
    return { ...bare(entry), state: 'acknowledged', nextAt: 0, acknowledged }
  }
  if (verdict.kind === 'parked') {
    if (entry.discarding) return 'gone'
    const { status, problem } = verdict
    return { ...bare(entry), state: 'parked', nextAt: 0, refusal: { status, problem, at: new Date(now).toISOString() } }
  }
  if (entry.state !== 'sending') return entry
  switch (verdict.kind) {
    case 'needsAuth':
      return { ...requeued(entry, 0), state: 'needsAuth' }
    case 'update-app':
      return requeued(entry, 0)
    case 'unreachable':
      return requeued(entry, now + Math.min(longestWaitOfflineMs, backoffMs(entry.attempts, random)))
    case 'retry':
      if (verdict.afterSeconds === undefined) return requeued(entry, now + backoffMs(entry.attempts, random))
      return {
        ...requeued(entry, now + Math.min(longestWaitMs, Math.max(0, verdict.afterSeconds) * second)),
        serverAsked: true,
      }
  }
}

/** The state an entry has after an event; the same entry when the event means nothing to it; `gone` when it is to be removed. */
export function step(entry: Entry, event: EntryEvent): Entry | 'gone' {
  const { state } = entry
  switch (event.type) {
    case 'hold-over':
      return state === 'held' ? requeued(entry, 0) : entry
    case 'claimed':
      return state === 'queued' && !mustBeForbidden(entry)
        ? { ...bare(entry), state: 'sending', attempts: entry.attempts + 1, nextAt: 0 }
        : entry
    case 'left-behind':
    case 'untouched':
      return state === 'sending' ? requeued(entry, 0) : entry
    case 'verdict':
      return judged(entry, event.verdict, event.now, event.random)
    case 'signed-in':
      return state === 'needsAuth' ? requeued(entry, 0) : entry
    case 'triggered':
      return state === 'queued' && entry.nextAt > 0 && !entry.serverAsked ? { ...entry, nextAt: 0 } : entry
    case 'retried':
      if (state !== 'parked' && (state !== 'queued' || entry.madeOn === undefined)) return entry
      return {
        ...withoutMadeOn(bare(entry)),
        state: 'queued',
        attempts: 0,
        nextAt: 0,
        key: event.key,
        args: event.args,
        argsVersion: event.argsVersion,
      }
    case 'edited':
      return neverLeft(entry) ? { ...entry, args: event.args, argsVersion: event.argsVersion } : entry
    case 'blocked':
      return state === 'held' || state === 'queued' ? { ...requeued(entry, 0), state: 'blocked' } : entry
    case 'unblocked':
      return state === 'blocked' ? requeued(entry, 0) : entry
    case 'discard-asked':
      if (state === 'parked' || neverLeft(entry)) return 'gone'
      return state === 'acknowledged' ? entry : { ...entry, discarding: true }
    case 'cancelled':
      return entry.discarding && state !== 'acknowledged' ? 'gone' : entry
    case 'cancel-failed':
      if (!mustBeForbidden(entry) || (state !== 'queued' && state !== 'blocked')) return entry
      return {
        ...entry,
        attempts: entry.attempts + 1,
        nextAt: event.now + Math.min(longestWaitOfflineMs, backoffMs(entry.attempts, event.random)),
      }
    case 'already-happened': {
      if (!mustBeForbidden(entry)) return entry
      const { discarding: _discarding, madeOn: _madeOn, ...kept } = entry
      return state === 'queued' ? { ...kept, nextAt: 0 } : kept
    }
    case 'forgotten':
      return state === 'acknowledged' ? requeued(entry, 0) : entry
  }
}

/** Names the queue an entry stands in: lanes of different accounts never wait for each other. */
export function laneOf(entry: Pick<Entry, 'userId' | 'lane'>): string {
  return `${entry.userId ?? 'visitor'} ${entry.lane}`
}

/**
 * Blocks what stands behind a parked entry of its lane and frees what no longer does.
 * @param entries whole lanes, by seq @returns the entries that changed
 */
export function relane(entries: readonly Entry[]): Entry[] {
  const stopped = new Set<string>()
  const changed: Entry[] = []
  for (const entry of entries) {
    const lane = laneOf(entry)
    const next = step(entry, { type: stopped.has(lane) ? 'blocked' : 'unblocked' })
    if (next !== entry && next !== 'gone') changed.push(next)
    if (entry.state === 'parked') stopped.add(lane)
  }
  return changed
}
