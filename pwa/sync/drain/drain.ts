import { sendBatch, type BatchEnd, type LineVerdict } from './batch.ts'
import { askToCancelAll } from './cancel.ts'
import { chooseWork, type Work } from './claim.ts'
import { settleForbidden, withoutEntry } from '../queue/enqueue.ts'
import type { Entry, Receipt } from '../queue/entry.ts'
import { closesItsEvent, entriesDroppedWithEvents } from '../queue/mutations/event-order.ts'
import { targetOf } from '../queue/mutations/mutations.ts'
import { advance, isDue, replaced, step, withLanes, type EntryEvent } from '../queue/outbox-machine.ts'
import type { OutboxStore } from '../queue/store/outbox-store.ts'
import type { Transport } from './transport.ts'
import type { RequestWatch } from './request-watch.ts'
import type { DrainReport, ReplayNews, WakeFlags } from './wake.ts'
import { stopped } from './verdict.ts'

/** The server admits no more. */
const batchLimit = 500
/** A change that is sent alone is parked after this many refusals on the way. */
const patientStops = 3
/** The limit is far below what the server takes as one body, though a character may be several bytes. */
const batchCharacters = 200_000
/** Silence halves what is sent next, down to this. */
const minBatchCharacters = 2_000
/** A line that takes 1 kB a second is waited for; a slower one gets smaller batches. */
const msPerCharacter = 1
/** A picture cannot be halved, so a line of 250 bytes a second is waited for. */
const heavyMsPerCharacter = 4

export interface DrainDependencies {
  readonly store: OutboxStore
  readonly transport: Transport
  readonly now: () => number
  /** Returns 0–1, to spread phones that failed together. */
  readonly random: () => number
  readonly onNews?: (news: ReplayNews) => void
}

/** @param takeWakeFlags reads and clears the flags; called before each claim */
export function createDrainer(
  deps: DrainDependencies,
  watch: RequestWatch,
  takeWakeFlags: () => WakeFlags,
  mayDrain: () => boolean,
) {
  const { store, now } = deps
  /** After the server refused a batch as a whole, one change at a time shows which one it meant. */
  let limit = batchLimit
  let maxCharacters = batchCharacters
  /** Counts refusals on the way by key, while the server could be reached. */
  const stops = new Map<string, number>()

  /**
   * A verdict also counts from a drainer that has lost its lock, and backoff applies only to what is still `sending`.
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

  /** Returns whether anything but heavy changes could be sent now. */
  async function hasLightWork(): Promise<boolean> {
    const { result } = await store.change('all', ({ entries, account }) => {
      const terms = { now: now(), account, triggered: false, resumes: false, limit: 1, maxCharacters }
      const { work } = chooseWork(entries, terms)
      return { result: work?.kind === 'send' && !work.isHeavy }
    })
    return result
  }

  /** @returns undefined when the request was ended in favor of smaller ones */
  async function send({ account, organizerId, entries: sent, ...size }: Work): Promise<BatchEnd | undefined> {
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
    let gaveWay = false
    const mayGoOn = async () => !(gaveWay = await hasLightWork())
    const end = await watch.run(
      (signal, onProgress) => {
        signal.addEventListener('abort', () => (wasSilent = true))
        const batch = { account, organizerId, entries: sent }
        return sendBatch(deps.transport, batch, signal, onProgress, onVerdicts)
      },
      size.isHeavy
        ? { uploadMs: size.characters * heavyMsPerCharacter, mayGoOn }
        : { uploadMs: size.characters * msPerCharacter },
    )
    await writing
    if (gaveWay && end.kind === 'unreachable') {
      await apply(lanesOf(open.keys()), (entry) => (open.has(entry.key) ? { type: 'untouched' } : undefined))
      return undefined
    }
    if (end.kind !== 'unreachable') maxCharacters = batchCharacters
    else if (wasSilent && moved === 0) maxCharacters = Math.max(minBatchCharacters, size.characters / 2)
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

  /** The request has the same form as one with changes. */
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

  /** @param isFirst what is `sending` was left behind by the leader before, if not by one that still sends it too */
  async function claim(flags: WakeFlags, isFirst: boolean): Promise<Work | undefined> {
    const { result } = await store.change('all', ({ entries, account }) => {
      const left = isFirst ? advance(entries, () => ({ type: 'left-behind' })) : []
      const requeued = left.length === 0 ? left : withLanes(entries, left)
      const { work, changed } = chooseWork(replaced(entries, requeued), {
        now: now(),
        account,
        ...flags,
        limit,
        maxCharacters,
      })
      // A page that died left it behind. It is in no one's way until its undo window ends.
      const rehearsed = entries.filter((entry) => entry.rehearsal && isDue(entry, now()))
      const remove = rehearsed.map(({ seq }) => seq)
      return { put: replaced(requeued, changed), remove, result: work }
    })
    return result
  }

  async function drain(): Promise<DrainReport['end']> {
    for (let isFirst = true; ; isFirst = false) {
      if (!mayDrain()) return 'not-leading'
      const work = await claim(takeWakeFlags(), isFirst)
      if (!work) return 'drained'
      if (work.kind === 'cancel') {
        await forbid(work.account, work.entries)
        continue
      }
      const end = await send(work)
      if (end === undefined) continue
      if (end.kind === 'update-app') {
        deps.onNews?.({ type: 'update-needed' })
        return 'update-needed'
      }
      deps.onNews?.({ type: end.kind === 'unreachable' ? 'unreachable' : 'reachable' })
      if (end.kind === 'unreachable') return 'unreachable'
    }
  }

  return {
    drain,
    resetBatchLimit() {
      limit = batchLimit
    },
  }
}

function receiptOf({ seq, key, mutation, args, argsVersion, acknowledged }: Entry, now: number): Receipt {
  const epoch = acknowledged?.epoch
  return {
    seq,
    key,
    mutation,
    args,
    argsVersion,
    answer: acknowledged?.body,
    at: new Date(now).toISOString(),
    ...(epoch === undefined ? {} : { epoch }),
  }
}
