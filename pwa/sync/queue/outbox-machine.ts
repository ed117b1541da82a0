import { stoppedCode, type Entry } from './entry.ts'
import type { Verdict } from '../drain/verdict.ts'

export type EntryEvent =
  | { readonly type: 'hold-over' }
  | { readonly type: 'claimed' }
  /** Found as `sending`: its drainer died, and the answer is lost. */
  | { readonly type: 'left-behind' }
  /** The server did not run it, because an earlier change of its lane was not done. */
  | { readonly type: 'untouched' }
  | { readonly type: 'verdict'; readonly verdict: Verdict; readonly now: number; readonly random: number }
  | { readonly type: 'signed-in' }
  | { readonly type: 'triggered' }
  | { readonly type: 'retried'; readonly key: string; readonly args: unknown; readonly argsVersion: number }
  | { readonly type: 'edited'; readonly args: unknown; readonly argsVersion: number }
  /** Another phone was shown it, and may send it first. */
  | { readonly type: 'passed-on' }
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
/** No mutation's `holdMs` is longer. */
export const longestHoldMs = 30 * second
const longestWaitOfflineMs = 30 * second

/** 1 s to 5 min; `random` (0–1) spreads phones that failed together. */
export function backoffMs(attempts: number, random: number): number {
  const doubled = second * 2 ** Math.min(Math.max(attempts, 1) - 1, 10)
  return Math.min(longestWaitMs, Math.max(second, doubled * (0.5 + random)))
}

/** A longer wait than it can have been given means that the phone's clock was set back: it is over too. */
export function isDue(entry: Pick<Entry, 'nextAt' | 'state' | 'attempts' | 'serverAsked'>, now: number): boolean {
  return entry.nextAt <= now || entry.nextAt - now > longestWaitOf(entry)
}

function longestWaitOf({ state, attempts, serverAsked }: Pick<Entry, 'state' | 'attempts' | 'serverAsked'>): number {
  if (state === 'held') return longestHoldMs
  return serverAsked ? longestWaitMs : backoffMs(attempts, 1)
}

/**
 * Tells whether the server answers the key with the refusal for ever: it does not for what it had taken before a
 * restore, nor for what was stopped on the way. Such a request may yet be carried out, so its key must be forbidden or
 * used again.
 */
export function isRefusalKept({ again, refusal }: Pick<Entry, 'again' | 'refusal'>): boolean {
  return again !== 'taken' && refusal?.problem.code !== stoppedCode
}

export function neverLeft(entry: Pick<Entry, 'attempts' | 'state'>): boolean {
  return entry.attempts === 0 && (entry.state === 'held' || entry.state === 'queued' || entry.state === 'blocked')
}

type Bare = Omit<Entry, 'acknowledged' | 'refusal' | 'serverAsked' | 'discarding'>

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

const withDiscarding = (entry: Entry) => (entry.discarding ? ({ discarding: true } as const) : {})

function requeued(entry: Entry, nextAt: number): Entry {
  return { ...bare(entry), ...withDiscarding(entry), state: 'queued', nextAt }
}

function judged(entry: Entry, verdict: Verdict, now: number, random: number): Entry | 'gone' {
  if (entry.state === 'held' || entry.state === 'parked' || entry.state === 'acknowledged') return entry
  // An answer counts whenever it arrives, also after its drainer was frozen for an hour.
  if (verdict.kind === 'acknowledged') {
    const { kind: _kind, ...acknowledged } = verdict
    return { ...bare(entry), state: 'acknowledged', nextAt: 0, acknowledged }
  }
  if (verdict.kind === 'parked') {
    if (entry.discarding) return isRefusalKept(entry) ? 'gone' : requeued(entry, 0)
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

/** Returns the same entry when the event means nothing to it, and `gone` when it is to be removed. */
export function step(entry: Entry, event: EntryEvent): Entry | 'gone' {
  const { state } = entry
  switch (event.type) {
    case 'hold-over':
      return state === 'held' ? requeued(entry, 0) : entry
    case 'claimed':
      return state === 'queued' && !entry.discarding
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
      if (state !== 'parked') return entry
      return {
        ...bare(entry),
        state: 'queued',
        // A request under the same key may yet be carried out.
        attempts: event.key === entry.key ? entry.attempts : 0,
        nextAt: 0,
        key: event.key,
        args: event.args,
        argsVersion: event.argsVersion,
      }
    case 'edited':
      return neverLeft(entry) ? { ...entry, args: event.args, argsVersion: event.argsVersion } : entry
    case 'passed-on':
      return neverLeft(entry) ? { ...entry, attempts: 1 } : entry
    case 'blocked':
      return state === 'held' || state === 'queued' ? { ...requeued(entry, 0), state: 'blocked' } : entry
    case 'unblocked':
      return state === 'blocked' ? requeued(entry, 0) : entry
    case 'discard-asked':
      if ((state === 'parked' && isRefusalKept(entry)) || neverLeft(entry)) return 'gone'
      if (state === 'acknowledged') return entry
      return { ...(state === 'parked' ? requeued(entry, 0) : entry), discarding: true }
    case 'cancelled':
      return entry.discarding && state !== 'acknowledged' ? 'gone' : entry
    case 'cancel-failed':
      if (!entry.discarding || (state !== 'queued' && state !== 'blocked')) return entry
      return {
        ...entry,
        attempts: entry.attempts + 1,
        nextAt: event.now + Math.min(longestWaitOfflineMs, backoffMs(entry.attempts, event.random)),
      }
    case 'already-happened': {
      if (!entry.discarding) return entry
      const { discarding: _discarding, ...kept } = entry
      return state === 'queued' ? { ...kept, nextAt: 0 } : kept
    }
    case 'forgotten':
      return state === 'acknowledged' ? requeued(entry, 0) : entry
  }
}

/** Lanes of different accounts never wait for each other. */
export function laneOf(entry: Pick<Entry, 'userId' | 'lane'>): string {
  return `${entry.userId ?? 'visitor'} ${entry.lane}`
}

/** @returns the entries that changed; removed ones go to `onGone` */
export function advance(
  entries: readonly Entry[],
  eventFor: (entry: Entry) => EntryEvent | undefined,
  onGone?: (entry: Entry) => void,
): Entry[] {
  return entries.flatMap((entry) => {
    const event = eventFor(entry)
    const next = event ? step(entry, event) : entry
    if (next === 'gone') onGone?.(entry)
    return next === entry || next === 'gone' ? [] : [next]
  })
}

export function replaced(entries: readonly Entry[], changed: readonly Entry[]): Entry[] {
  const bySeq = new Map(entries.map((entry) => [entry.seq, entry]))
  for (const entry of changed) bySeq.set(entry.seq, entry)
  return [...bySeq.values()].sort((a, b) => a.seq - b.seq)
}

/**
 * Blocks the entries behind a parked one of their lane, and unblocks the others.
 * @param entries whole lanes, by seq
 * @returns those that changed
 */
export function relane(entries: readonly Entry[]): Entry[] {
  const stopped = new Set<string>()
  return advance(entries, (entry) => {
    const lane = laneOf(entry)
    const type = stopped.has(lane) ? 'blocked' : 'unblocked'
    if (entry.state === 'parked') stopped.add(lane)
    return { type }
  })
}

/**
 * Returns `changed`, and what else of the queue changes by it.
 * @param removed seqs
 */
export function withLanes(
  entries: readonly Entry[],
  changed: readonly Entry[],
  removed: readonly number[] = [],
): Entry[] {
  const after = replaced(entries, changed).filter((entry) => !removed.includes(entry.seq))
  return replaced(changed, relane(after))
}
