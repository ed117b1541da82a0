import { sendBatch, type BatchEnd, type LineVerdict } from './batch.ts'
import { askToCancel } from './cancel.ts'
import { chooseWork, shortestWait, type Work } from './claim.ts'
import { replaced, settleDiscard, withoutEntry } from './enqueue.ts'
import type { Entry, Receipt } from './entry.ts'
import { targetOf } from './mutations.ts'
import { relane, step, type EntryEvent } from './outbox-machine.ts'
import type { Change, OutboxStore } from './outbox-store.ts'
import type { Transport } from './transport.ts'

/** What makes the queue try. Every one of them alone is enough. */
export type WakeReason =
  | 'enqueue'
  | 'page-start'
  | 'online'
  | 'visible'
  | 'stream-opened'
  | 'timer'
  | 'sync'
  | 'activate'
  | 'push'
  | 'sign-in'
  /** Another page or the worker was woken while this one may be sending. */
  | 'elsewhere'

/** One lock per device. `hold` waits in line; with `steal` it takes the lock from whoever has it. */
export interface Locks {
  hold(body: () => Promise<void>, options: { readonly steal: boolean; readonly signal: AbortSignal }): Promise<void>
}

export interface Timers {
  /** Calls back after a number of milliseconds. @returns a function that calls it off */
  after(milliseconds: number, callback: () => void): () => void
}

/** What a drainer tells those who want to know. */
export type ReplayNews =
  | { readonly type: 'reachable' }
  | { readonly type: 'unreachable' }
  | { readonly type: 'update-needed' }
  | { readonly type: 'storage-failed'; readonly error: unknown }
  | { readonly type: 'sign-in-needed'; readonly account: number | null }

export interface ReplayerDependencies {
  readonly store: OutboxStore
  readonly transport: Transport
  readonly locks: Locks
  readonly timers: Timers
  readonly now: () => number
  /** 0–1, to spread phones that failed together. */
  readonly random: () => number
  /** Names this page or worker among the device's. */
  readonly owner: string
  readonly onNews?: (news: ReplayNews) => void
  /** Tells the device's other pages and its worker that there is reason to try. */
  readonly tellOthers?: () => void
}

/** How a round of sending ended, and how many milliseconds until something could be sent by itself (undefined = nothing waits). */
export interface DrainReport {
  readonly end: 'drained' | 'unreachable' | 'update-needed' | 'lost-lock' | 'storage-failed'
  readonly waitingMs: number | undefined
}

export interface Replayer {
  /** Tries to send what is queued. Resolves when the round that this caused has ended; never rejects for the network's sake. */
  wake(reason: WakeReason): Promise<DrainReport>
  /** Ends timers and gives up a request on its way; what it carried is found and sent again by the next drainer. */
  stop(): void
}

const second = 1000
/** A holder that has not said so for this long is frozen: the lock is taken from it. */
export const leaseMs = 30 * second
const heartbeatMs = 5 * second
/** A request in which nothing moves for this long is given up. */
export const silenceMs = 20 * second
/** … and for this long, when there is reason to believe in a new network. */
const impatientSilenceMs = 3 * second
const timerMs = 30 * second
/** The server's own bound. */
const batchLimit = 500
/** After a request in which nothing moved: the network may be too slow for more. */
const cautiousLimit = 50
/** Far below what the server takes as one body, though a character may be several bytes. */
const batchCharacters = 200_000

export function createReplayer(deps: ReplayerDependencies): Replayer {
  const { store, now, timers } = deps
  let running: Promise<DrainReport> | undefined
  let again = false
  let triggered = false
  let resumes = false
  let stopped = false
  let waitsForUpdate = false
  /** After the server refused a batch as a whole, one change at a time shows which one it meant. */
  let limit = batchLimit
  /** On a network that was too slow for a full batch, a smaller one shows that it works at all. */
  let networkLimit = batchLimit
  let rounds = 0
  let callOffTimer = () => {}
  let inFlight: { controller: AbortController; movedAt: number; callOff: () => void } | undefined

  function watch(milliseconds: number): void {
    const flight = inFlight
    if (!flight) return
    flight.callOff()
    flight.callOff = timers.after(milliseconds, () => flight.controller.abort())
  }

  /** Runs a request under the watch that gives it up when nothing moves. */
  async function watched<T>(run: (signal: AbortSignal, onProgress: () => void) => Promise<T>): Promise<T> {
    const flight = { controller: new AbortController(), movedAt: now(), callOff: () => {} }
    inFlight = flight
    watch(silenceMs)
    try {
      return await run(flight.controller.signal, () => {
        flight.movedAt = now()
        watch(silenceMs)
      })
    } finally {
      flight.callOff()
      if (inFlight === flight) inFlight = undefined
    }
  }

  /** A transaction of whoever holds the lease; undefined, and nothing done, for one who lost it. */
  async function changeAsHolder<T>(
    owner: string,
    lanes: 'all' | readonly string[],
    decide: (entries: readonly Entry[], account: number | null | undefined) => Change<T>,
  ): Promise<T | undefined> {
    const { result } = await store.change<T | undefined>(lanes, ({ entries, lease, account }) =>
      lease?.owner === owner ? { lease: { owner, at: now() }, ...decide(entries, account) } : { result: undefined },
    )
    return result
  }

  /** Everything found as `sending` at the start was left behind by a drainer that is no more. */
  async function takeLease(owner: string): Promise<void> {
    await store.change('all', ({ entries }) => {
      const put = advance(entries, () => ({ type: 'left-behind' }))
      return { put, lease: { owner, at: now() }, result: undefined }
    })
  }

  /**
   * Writes down what the server said. Not bound to the lease: the truth about a change is welcome from a drainer that
   * was frozen and robbed meanwhile, and waiting times only count for what is still `sending`.
   */
  async function apply(lanes: readonly string[], eventFor: (entry: Entry) => EntryEvent | undefined): Promise<void> {
    await store.change(lanes, ({ entries }) => {
      const receipts: Receipt[] = []
      const remove: number[] = []
      let put: Entry[] = []
      const gone: Entry[] = []
      for (const next of advance(entries, eventFor, (entry) => gone.push(entry))) {
        if (next.state === 'acknowledged' && targetOf(next) === null) {
          remove.push(next.seq)
          const { key, mutation, args } = next
          receipts.push({ key, mutation, args, answer: next.acknowledged?.body, at: new Date(now()).toISOString() })
        } else put.push(next)
      }
      for (const entry of gone) {
        const left = withoutEntry(replaced(entries, put), entry)
        remove.push(...left.remove)
        put = replaced(put, left.put)
      }
      const after = replaced(entries, put).filter((entry) => !remove.includes(entry.seq))
      return { put: replaced(put, relane(after)), remove, receipts, result: undefined }
    })
  }

  async function send(account: number | null, sent: readonly Entry[]): Promise<BatchEnd> {
    const laneOfKey = new Map(sent.map((entry) => [entry.key, entry.lane]))
    const lanesOf = (keys: Iterable<string>) => [...new Set([...keys].flatMap((key) => laneOfKey.get(key) ?? []))]
    const open = new Map(sent.map((entry) => [entry.key, entry]))
    let needsUpdate = false
    let moved = 0
    let arrived = new Map<string, LineVerdict['verdict']>()
    let writing: Promise<void> | undefined
    // What arrives while one transaction is written goes into the next: as soon as possible, not one by one.
    const write = async () => {
      while (arrived.size > 0) {
        const verdicts = arrived
        arrived = new Map()
        await apply(lanesOf(verdicts.keys()), (entry) => {
          const verdict = verdicts.get(entry.key)
          if (!verdict) return undefined
          return verdict === 'untouched'
            ? { type: 'untouched' }
            : { type: 'verdict', verdict, now: now(), random: deps.random() }
        })
      }
      writing = undefined
    }
    const onVerdicts = (verdicts: readonly LineVerdict[]) => {
      for (const { key, verdict } of verdicts) {
        open.delete(key)
        arrived.set(key, verdict)
        if (verdict === 'untouched') continue
        moved++
        if (verdict.kind === 'needsAuth') deps.onNews?.({ type: 'sign-in-needed', account })
        if (verdict.kind === 'update-app') needsUpdate = true
      }
      writing ??= write()
      writing.catch(() => {})
    }
    let wasSilent = false
    const end = await watched((signal, onProgress) => {
      signal.addEventListener('abort', () => (wasSilent = true))
      return sendBatch(deps.transport, { account, entries: sent }, signal, onProgress, onVerdicts)
    })
    await writing
    if (end.kind !== 'unreachable') networkLimit = batchLimit
    else if (wasSilent && moved === 0) networkLimit = cautiousLimit
    const single = sent.length === 1
    if (end.kind === 'parked' && !single) limit = 1
    if (end.kind === 'needsAuth') deps.onNews?.({ type: 'sign-in-needed', account })
    const rest =
      end.kind === 'answered' || end.kind === 'acknowledged' || (end.kind === 'parked' && !single)
        ? ({ kind: 'retry' } as const)
        : end
    if (open.size > 0) {
      // Refused as a whole: each is tried alone, and at once.
      const isSplit = end.kind === 'parked' && !single
      await apply(lanesOf(open.keys()), (entry) => {
        if (!open.has(entry.key)) return undefined
        return isSplit ? { type: 'untouched' } : { type: 'verdict', verdict: rest, now: now(), random: deps.random() }
      })
    }
    if (needsUpdate) return { kind: 'update-app' }
    // An answer that moves nothing would be asked for again at once, for ever.
    return end.kind === 'answered' && moved === 0 ? { kind: 'unreachable' } : end
  }

  async function cancelOne(entry: Entry): Promise<void> {
    const outcome = await watched((signal) => askToCancel(deps.transport, entry.userId, entry.key, signal))
    if (outcome !== 'unknown') return await settleDiscard(store, entry, outcome)
    await apply([entry.lane], (candidate) =>
      candidate.key === entry.key ? { type: 'cancel-failed', now: now(), random: deps.random() } : undefined,
    )
  }

  async function drain(owner: string): Promise<DrainReport['end']> {
    await takeLease(owner)
    for (;;) {
      if (stopped) return 'lost-lock'
      const isTriggered = triggered
      const isResuming = resumes
      triggered = false
      resumes = false
      const claimed = await changeAsHolder<Work | 'nothing'>(owner, 'all', (entries, account) => {
        const { work, changed } = chooseWork(entries, {
          now: now(),
          account,
          triggered: isTriggered,
          resumes: isResuming,
          limit: Math.min(limit, networkLimit),
          maximumCharacters: batchCharacters,
        })
        return { put: changed, result: work ?? 'nothing' }
      })
      if (claimed === undefined) return 'lost-lock'
      if (claimed === 'nothing') return 'drained'
      if (claimed.kind === 'cancel') {
        await cancelOne(claimed.entry)
        continue
      }
      const end = await send(claimed.account, claimed.entries)
      if (end.kind === 'update-app') {
        deps.onNews?.({ type: 'update-needed' })
        return 'update-needed'
      }
      deps.onNews?.({ type: end.kind === 'unreachable' ? 'unreachable' : 'reachable' })
      if (end.kind === 'unreachable') return 'unreachable'
    }
  }

  /** Drains as the only one on this device. Waits in line for a holder that is alive, robs one that is frozen. */
  async function drainAlone(): Promise<DrainReport['end']> {
    // A name of its own for every round: one that was robbed must not take the next round's lease for its own.
    const owner = `${deps.owner}:${++rounds}`
    let outcome: { end: DrainReport['end'] } | { error: unknown } | undefined
    const waiting = new AbortController()
    let hasStarted = false
    let hasEnded = false
    let callOffHeartbeat = () => {}
    let callOffCheck = () => {}
    const beat = () => {
      callOffHeartbeat = timers.after(heartbeatMs, () => {
        changeAsHolder<true>(owner, [], () => ({ result: true })).then(
          (held) => {
            if (hasEnded) return
            if (held) beat()
            else inFlight?.controller.abort()
          },
          () => hasEnded || beat(),
        )
      })
    }
    const check = () => {
      callOffCheck = timers.after(heartbeatMs, () => {
        store.lease().then((lease) => {
          if (hasStarted) return
          if (lease && Math.abs(now() - lease.at) <= leaseMs) check()
          else waiting.abort()
        }, check)
      })
    }
    const body = async () => {
      hasStarted = true
      callOffCheck()
      beat()
      try {
        outcome = { end: await drain(owner) }
      } catch (error) {
        outcome = { error }
      } finally {
        hasEnded = true
        callOffHeartbeat()
      }
    }
    check()
    try {
      await deps.locks.hold(body, { steal: false, signal: waiting.signal })
    } catch {
      // Either given up in favour of robbing a frozen holder, or robbed itself: then the round ends at its next look at the lease.
      if (!hasStarted)
        await deps.locks.hold(body, { steal: true, signal: new AbortController().signal }).catch(() => {})
    } finally {
      callOffCheck()
    }
    if (outcome && 'error' in outcome) throw outcome.error
    return outcome?.end ?? 'lost-lock'
  }

  async function round(): Promise<DrainReport> {
    try {
      const end = await drainAlone()
      const { result: waitingMs } = await store.change('all', ({ entries, account }) => ({
        result: shortestWait(entries, now(), account),
      }))
      return { end, waitingMs }
    } catch (error) {
      deps.onNews?.({ type: 'storage-failed', error })
      return { end: 'storage-failed', waitingMs: timerMs }
    }
  }

  async function run(): Promise<DrainReport> {
    for (;;) {
      again = false
      const report = await round()
      limit = batchLimit
      waitsForUpdate = report.end === 'update-needed'
      if (again && !stopped) continue
      // From here to the end nothing is awaited: a wake finds either this round running or none.
      running = undefined
      callOffTimer()
      if (report.waitingMs !== undefined && !stopped) {
        const soonest = report.end === 'drained' ? 100 : second
        callOffTimer = timers.after(Math.min(timerMs, Math.max(report.waitingMs, soonest)), () => void wake('timer'))
      }
      return report
    }
  }

  /** A request that has been silent while the network came back is most likely dead: it is given up sooner. */
  function hurry(): void {
    if (!inFlight) return
    const silent = now() - inFlight.movedAt
    if (silent >= impatientSilenceMs || silent < 0) inFlight.controller.abort()
    else watch(impatientSilenceMs - silent)
  }

  function wake(reason: WakeReason): Promise<DrainReport> {
    if (stopped) return Promise.resolve({ end: 'lost-lock', waitingMs: undefined })
    if (waitsForUpdate && (reason === 'timer' || reason === 'enqueue'))
      return Promise.resolve({ end: 'update-needed', waitingMs: undefined })
    // Whoever was woken elsewhere drains by itself; here only a request that holds it up matters.
    if (reason === 'elsewhere' && !running) return Promise.resolve({ end: 'lost-lock', waitingMs: undefined })
    if (reason !== 'timer') triggered = true
    // Only what a session alone makes possible, or a new beginning, speaks for a session.
    if (reason === 'sign-in' || reason === 'stream-opened' || reason === 'page-start') resumes = true
    if (reason !== 'timer' && reason !== 'enqueue') hurry()
    if (reason !== 'timer' && reason !== 'enqueue' && reason !== 'elsewhere') deps.tellOthers?.()
    if (running) {
      again = true
      return running
    }
    callOffTimer()
    running = run()
    return running
  }

  return {
    wake,
    stop() {
      stopped = true
      callOffTimer()
      inFlight?.controller.abort()
    },
  }
}

/** Takes every entry one event further. @returns those that changed; removed ones go to `onGone` */
function advance(
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
