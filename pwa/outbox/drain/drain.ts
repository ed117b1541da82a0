import { sendBatch, type BatchEnd, type LineVerdict } from './batch.ts'
import { askToCancelAll } from './cancel.ts'
import { chooseWork, type Work } from './claim.ts'
import { changeAsHolder } from './drain-alone.ts'
import { replaced, settleForbidden, withoutEntry } from '../enqueue.ts'
import type { Entry, Receipt } from '../entry.ts'
import { closesItsEvent, fallenWith } from '../mutations/event-order.ts'
import { followAnswers } from '../mutations/expectation.ts'
import { targetOf } from '../mutations/mutations.ts'
import { patientVerdict } from './offered-verdict.ts'
import { relane, step, type EntryEvent } from '../outbox-machine.ts'
import type { DrainReport, ReplayerDependencies } from './replay.ts'
import type { RequestWatch } from './request-watch.ts'

/** What there is reason to believe in since the queue was looked at last. */
export interface Hopes {
  /** A network: waiting times after failures are over. */
  readonly triggered: boolean
  /** A session, or an app that the server still speaks to. */
  readonly resumes: boolean
}

/** Sends what is queued, for whoever holds the lease. */
export interface Drainer {
  /** Until nothing is left that may leave now, or nothing gets through. */
  drain(owner: string): Promise<DrainReport['end']>
  /** A round is over: the next one tries a full request again. */
  forgetRefusals(): void
}

/** The server's own bound. */
const batchLimit = 500
/** After a request in which nothing moved: the network may be too slow for more. */
const cautiousLimit = 50
/**
 * For so long nobody on this device asks again after the server said that the app is too old: the page and its worker want
 * to send at the same moments, and would hear the same. As long as the timer of a queue that waits.
 */
const tooOldQuietMs = 30_000
/** Far below what the server takes as one body, though a character may be several bytes. */
const batchCharacters = 200_000

/**
 * @param takeHopes called before each look at the queue
 * @param isStopped the page or worker goes
 */
export function createDrainer(
  deps: ReplayerDependencies,
  watch: RequestWatch,
  takeHopes: () => Hopes,
  isStopped: () => boolean,
): Drainer {
  const { store, now } = deps
  /** After the server refused a batch as a whole, one change at a time shows which one it meant. */
  let limit = batchLimit
  /** On a network that was too slow for a full batch, a smaller one shows that it works at all. */
  let networkLimit = batchLimit

  /**
   * Everything found as `sending` at the start was left behind by a drainer that is no more.
   * @returns whether the server said a moment ago that this app is too old
   */
  async function takeLease(owner: string): Promise<boolean> {
    const { result } = await store.change('all', ({ entries, lease }) => {
      const put = advance(entries, () => ({ type: 'left-behind' }))
      return {
        put,
        lease: { ...lease, owner, at: now() },
        // A clock that was set back meanwhile keeps nobody waiting.
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
   * Writes down what the server said. Not bound to the lease: the truth about a change is welcome from a drainer that
   * was frozen and robbed meanwhile, and waiting times only count for what is still `sending`.
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
      for (const { seq } of fallenWith(put, entries)) remove.push(seq)
      const kept = replaced(entries, put).filter((entry) => !remove.includes(entry.seq))
      put = replaced(put, followAnswers(kept, put, deps.newKey))
      const after = replaced(kept, put)
      return { put: replaced(put, relane(after)), remove, receipts, result: undefined }
    })
  }

  async function send(account: number | null, sent: readonly Entry[]): Promise<BatchEnd> {
    const laneOfKey = new Map(sent.map((entry) => [entry.key, entry.lane]))
    const closing = new Set(sent.filter((entry) => closesItsEvent(entry)).map((entry) => entry.key))
    // What falls with an event stands in other lanes than its deletion.
    const lanesOf = (keys: Iterable<string>) => {
      const all = [...keys]
      return all.some((key) => closing.has(key)) ? 'all' : [...new Set(all.flatMap((key) => laneOfKey.get(key) ?? []))]
    }
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

  async function forbid(account: number | null, given: readonly Entry[]): Promise<void> {
    const keys = given.map(({ key }) => key)
    const outcomes = await watch.run((signal) => askToCancelAll(deps.transport, account, keys, signal))
    const unknown = new Set(keys)
    for (const entry of given) {
      const outcome = outcomes.get(entry.key)
      if (!outcome) continue
      unknown.delete(entry.key)
      await settleForbidden(store, entry, outcome, deps.newKey)
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
      const hopes = takeHopes()
      // A new page or worker may be another app, and an open stream or a sign-in proves that the server speaks to this one.
      if (isTooOld && !hopes.resumes) return sayTooOld()
      isTooOld = false
      const claimed = await changeAsHolder<Work | 'nothing'>(deps, owner, 'all', (entries, account) => {
        const { work, changed } = chooseWork(entries, {
          now: now(),
          account,
          ...hopes,
          limit: Math.min(limit, networkLimit),
          maximumCharacters: batchCharacters,
        })
        // What is tried now is heard anew.
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
        await changeAsHolder(deps, owner, [], () => ({ lease: { owner, at: now(), tooOldAt: now() }, result: true }))
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

/** What is kept of a visitor's change that the server has taken. */
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
