import { sendBatch, type BatchEnd, type LineVerdict } from './batch.ts'
import { askToCancelAll } from './cancel.ts'
import { chooseWork, type Work } from './claim.ts'
import { changeUnderLease } from './drain-lease.ts'
import { settleForbidden, withoutEntry } from '../queue/enqueue.ts'
import type { Entry, Receipt } from '../queue/entry.ts'
import { closesItsEvent, entriesDroppedWithEvents } from '../queue/mutations/event-order.ts'
import { targetOf } from '../queue/mutations/mutations.ts'
import { advance, replaced, step, withLanes, type EntryEvent } from '../queue/outbox-machine.ts'
import type { OutboxStore } from '../queue/store/outbox-store.ts'
import type { Transport } from './transport.ts'
import type { RequestWatch } from './request-watch.ts'
import type { DrainReport, ReplayNews, WakeFlags } from './wake.ts'
import { patientVerdict, stopped } from './verdict.ts'

/** The server's own bound. */
const batchLimit = 500
/** After a request in which nothing moved: the network may be too slow for more. */
const cautiousLimit = 50
/** After a 426, for all contexts of this device: page and worker wake together and would get the same answer. */
const tooOldQuietMs = 30_000
/** Refusals on the way after which a change that is sent alone is parked. */
const patientStops = 3
/** Far below what the server takes as one body, though a character may be several bytes. */
const batchCharacters = 200_000

export interface DrainDependencies {
  readonly store: OutboxStore
  readonly transport: Transport
  readonly now: () => number
  /** 0–1, to spread phones that failed together. */
  readonly random: () => number
  readonly onNews?: (news: ReplayNews) => void
}

/** @param takeWakeFlags reads and clears the flags; called before each claim */
export function createDrainer(
  deps: DrainDependencies,
  watch: RequestWatch,
  takeWakeFlags: () => WakeFlags,
  isStopped: () => boolean,
) {
  const { store, now } = deps
  /** After the server refused a batch as a whole, one change at a time shows which one it meant. */
  let limit = batchLimit
  let networkLimit = batchLimit
  /** By key, while the server could be reached. */
  const stops = new Map<string, number>()

  /** Requeues what a former leader left as `sending`. @returns whether the server just said that this app is too old */
  async function takeLease(owner: string): Promise<boolean> {
    const { result } = await store.change('all', ({ entries, lease }) => {
      return {
        put: withLanes(
          entries,
          advance(entries, () => ({ type: 'left-behind' })),
        ),
        lease: { ...lease, owner, at: now() },
        // Absolute, so that a clock that was set back does not prolong it.
        result: lease?.tooOldAt !== undefined && Math.abs(now() - lease.tooOldAt) < tooOldQuietMs,
      }
    })
    return result
  }

  function sayTooOld(): DrainReport['end'] {
    deps.onNews?.({ type: 'update-needed' })
    return 'update-needed'
  }

  /**
   * Not bound to the lease: a verdict also counts from a drainer that has lost its lock, and backoff applies only to
   * what is still `sending`.
   */
  async function apply(
    lanes: 'all' | readonly string[],
    eventFor: (entry: Entry) => EntryEvent | undefined,
  ): Promise<void> {
    await store.change(lanes, ({ entries }) => {
      const receipts: Receipt[] = []
      const remove: number[] = []
      let put: Entry[] = []
      const gone: Entry[] = []
      for (const next of advance(entries, eventFor, (entry) => gone.push(entry))) {
        if (next.state === 'acknowledged' && targetOf(next) === null) {
          remove.push(next.seq)
          if (!next.forget) receipts.push(receiptOf(next, now()))
        } else put.push(next)
      }
      for (const entry of gone) {
        const left = withoutEntry(replaced(entries, put), entry)
        remove.push(...left.remove)
        put = replaced(put, left.put)
      }
      for (const dropped of entriesDroppedWithEvents(put, entries)) {
        // A lost answer may have said that it happened.
        const next = step(dropped, { type: 'discard-asked' })
        if (next === 'gone') remove.push(dropped.seq)
        else put = replaced(put, [next])
      }
      return { put: withLanes(entries, put, remove), remove, receipts, result: undefined }
    })
  }

  async function send(account: number | null, sent: readonly Entry[]): Promise<BatchEnd> {
    const laneOfKey = new Map(sent.map((entry) => [entry.key, entry.lane]))
    const closing = new Set(sent.filter((entry) => closesItsEvent(entry)).map((entry) => entry.key))
    // The deletion of an event also removes entries of other lanes.
    const lanesOf = (keys: Iterable<string>) => {
      const all = [...keys]
      return all.some((key) => closing.has(key)) ? 'all' : [...new Set(all.flatMap((key) => laneOfKey.get(key) ?? []))]
    }
    const open = new Map(sent.map((entry) => [entry.key, entry]))
    let needsUpdate = false
    let moved = 0
    let arrived = new Map<string, LineVerdict['verdict']>()
    let writing: Promise<void> | undefined
    // What arrives while one transaction is written goes into the next: one each would be too slow.
    const write = async () => {
      while (arrived.size > 0) {
        const verdicts = arrived
        arrived = new Map()
        await apply(lanesOf(verdicts.keys()), (entry) => {
          const verdict = verdicts.get(entry.key)
          if (!verdict) return undefined
          return verdict === 'untouched'
            ? { type: 'untouched' }
            : { type: 'verdict', verdict: patientVerdict(entry, verdict, now()), now: now(), random: deps.random() }
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
    const end = await watch.run((signal, onProgress) => {
      signal.addEventListener('abort', () => (wasSilent = true))
      const batch = { account, entries: sent }
      return sendBatch(deps.transport, batch, signal, onProgress, onVerdicts)
    })
    await writing
    if (end.kind !== 'unreachable') networkLimit = batchLimit
    else if (wasSilent && moved === 0) networkLimit = cautiousLimit
    const refusedWith = end.kind === 'unreachable' && moved === 0 ? end.refusedWith : undefined
    const isSplit = limit > 1 && (end.kind === 'parked' || refusedWith !== undefined) && sent.length > 1
    if (isSplit) limit = 1
    const isStoppedAlone = !isSplit && refusedWith !== undefined && (await doesReachServer())
    const [alone] = sent
    if (end.kind === 'needsAuth') deps.onNews?.({ type: 'sign-in-needed', account })
    const rest =
      end.kind === 'answered' || end.kind === 'acknowledged' || isSplit
        ? ({ kind: 'retry' } as const)
        : isStoppedAlone && alone && countStop(alone.key) >= patientStops
          ? stopped(refusedWith)
          : end
    if (open.size > 0) {
      await apply(lanesOf(open.keys()), (entry) => {
        if (!open.has(entry.key)) return undefined
        return isSplit ? { type: 'untouched' } : { type: 'verdict', verdict: rest, now: now(), random: deps.random() }
      })
    }
    if (needsUpdate) return { kind: 'update-app' }
    if (isStoppedAlone) {
      limit = batchLimit
      return { kind: 'retry' }
    }
    if (isSplit && refusedWith !== undefined) return { kind: 'retry' }
    // An answer that moves nothing would be asked for again at once, for ever.
    return end.kind === 'answered' && moved === 0 ? { kind: 'unreachable' } : end
  }

  /** In the same form as one with changes. */
  async function doesReachServer(): Promise<boolean> {
    const nothing = { account: null, entries: [] }
    const end = await watch.run((signal, onProgress) =>
      sendBatch(deps.transport, nothing, signal, onProgress, () => {}),
    )
    return end.kind !== 'unreachable'
  }

  function countStop(key: string): number {
    const count = (stops.get(key) ?? 0) + 1
    stops.set(key, count)
    return count
  }

  async function forbid(account: number | null, given: readonly Entry[]): Promise<void> {
    const keys = given.map(({ key }) => key)
    const outcomes = await watch.run((signal) => askToCancelAll(deps.transport, account, keys, signal))
    const unknown = new Set(keys)
    for (const entry of given) {
      const outcome = outcomes.get(entry.key)
      if (!outcome) continue
      unknown.delete(entry.key)
      await settleForbidden(store, entry, outcome)
    }
    if (unknown.size === 0) return
    await apply([...new Set(given.map(({ lane }) => lane))], (entry) =>
      unknown.has(entry.key) ? { type: 'cancel-failed', now: now(), random: deps.random() } : undefined,
    )
  }

  async function drain(owner: string): Promise<DrainReport['end']> {
    let isTooOld = await takeLease(owner)
    for (;;) {
      if (isStopped()) return 'lost-lock'
      const flags = takeWakeFlags()
      // A new page or worker may be another app; an open stream or a sign-in proves that the server speaks to this one.
      if (isTooOld && !flags.resumes) return sayTooOld()
      isTooOld = false
      const claimed = await changeUnderLease<Work | 'nothing'>(deps, owner, 'all', (entries, account) => {
        const { work, changed } = chooseWork(entries, {
          now: now(),
          account,
          ...flags,
          limit: Math.min(limit, networkLimit),
          maximumCharacters: batchCharacters,
        })
        // Without `tooOldAt`: this request finds it out anew.
        return { put: changed, lease: { owner, at: now() }, result: work ?? 'nothing' }
      })
      if (claimed === undefined) return 'lost-lock'
      if (claimed === 'nothing') return 'drained'
      if (claimed.kind === 'cancel') {
        await forbid(claimed.account, claimed.entries)
        continue
      }
      const end = await send(claimed.account, claimed.entries)
      if (end.kind === 'update-app') {
        await changeUnderLease(deps, owner, [], () => ({ lease: { owner, at: now(), tooOldAt: now() }, result: true }))
        return sayTooOld()
      }
      deps.onNews?.({ type: end.kind === 'unreachable' ? 'unreachable' : 'reachable' })
      if (end.kind === 'unreachable') return 'unreachable'
    }
  }

  return {
    drain,
    forgetRefusals() {
      limit = batchLimit
    },
  }
}

function receiptOf({ key, mutation, args, argsVersion, acknowledged }: Entry, now: number): Receipt {
  const epoch = acknowledged?.epoch
  return {
    key,
    mutation,
    args,
    argsVersion,
    answer: acknowledged?.body,
    at: new Date(now).toISOString(),
    ...(epoch === undefined ? {} : { epoch }),
  }
}
