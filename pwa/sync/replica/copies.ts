import { waitAfter } from '../follow/throttle.ts'
import type { PullEnd } from '../follow/pull.ts'
import type { SyncMeta } from './sync-meta.ts'

export type Reset = Extract<PullEnd, { kind: 'reset' }>

export interface OpenCopy {
  close(): Promise<void>
}

export interface CopiesTerms<Copy extends OpenCopy> {
  readonly userId: number
  /** See `SyncMeta`. */
  readonly team?: string | undefined
  /** Returns undefined before the first contact. */
  readonly readMeta: () => Promise<SyncMeta | undefined>
  readonly writeMeta: (meta: SyncMeta) => Promise<void>
  /** Rejects also when `signal` was raised. */
  readonly askEpoch: (signal: AbortSignal) => Promise<string>
  readonly run: (
    meta: SyncMeta,
    terms: { onReset: (reset: Reset) => void; onReplaced: (newer: SyncMeta) => void },
  ) => Promise<Copy>
  /** Undefined: nothing is sure. */
  readonly offerAgain: (epoch: string | undefined) => Promise<void>
  readonly onExchange: () => void
  /** The same thing was refused at least twice in a row. It is called when that changes. */
  readonly onStorageFails: (fails: boolean) => void
  /** Ends earlier when `wakeUp` is called. */
  readonly pause: (milliseconds: number) => Promise<void>
  readonly wakeUp: () => void
  readonly newKey: () => string
  /** The clock is monotonic and counts milliseconds. */
  readonly now: () => number
  /** Returns 0–1, to spread devices that failed together. */
  readonly random: () => number
}

const longestRetryMs = 60_000
const longestResetWaitMs = 300_000
const resetsForgottenMs = 600_000

/**
 * Opens this device's copy, or a first one, and exchanges it when the server cannot continue it. What the storage
 * refuses is tried again until this is closed.
 * @returns at once: neither a silent server nor failing storage delays closing
 */
export function manageReplica<Copy extends OpenCopy>(terms: CopiesTerms<Copy>) {
  const { userId, team, now, random, pause } = terms
  const of = team === undefined ? { userId } : { userId, team }
  let closed = false
  const closing = new AbortController()
  let running: Copy | null = null
  let present: SyncMeta | undefined
  let resets = 0
  let lastResetAt = -Infinity
  let exchange: Promise<unknown> = Promise.resolve()

  /** Returns undefined when this was closed by then. */
  async function findEpoch(): Promise<string | undefined> {
    for (let failures = 1; !closed; failures += 1) {
      try {
        return await terms.askEpoch(closing.signal)
      } catch {
        if (!closed) await pause(waitAfter(failures, random(), longestRetryMs))
      }
    }
    return undefined
  }

  /** @param known absent: a first copy, in the present epoch */
  async function start(known: SyncMeta | undefined): Promise<void> {
    let meta = known
    if (!meta) {
      const epoch = await findEpoch()
      if (epoch === undefined) return
      meta = { ...of, epoch, copy: team === undefined ? epoch : terms.newKey(), heads: {}, asOf: null }
      // What was settled in an older epoch may not be in this one.
      await terms.offerAgain(epoch)
    }
    if (closed) return
    present = meta
    const opened = await terms.run(meta, {
      onReset: (reset) => exchangeLater(() => resetCopy(reset)),
      onReplaced: (newer) => exchangeLater(() => retryForever(() => changeTo(newer))),
    })
    if (closed) await opened.close()
    else running = opened
  }

  async function changeTo(meta: SyncMeta | undefined): Promise<void> {
    const old = running
    running = null
    await old?.close()
    if (closed) return
    terms.onExchange()
    await start(meta)
  }

  async function resetCopy({ reason, epoch }: Reset): Promise<void> {
    resets = now() - lastResetAt > resetsForgottenMs ? 0 : resets
    if (resets > 0) await pause(waitAfter(resets, random(), longestResetWaitMs))
    if (closed) return
    resets += 1
    lastResetAt = now()
    const copy = epoch === present?.epoch ? terms.newKey() : epoch
    const begun = epoch && copy ? { ...of, epoch, copy, heads: {}, asOf: null } : undefined
    await retryForever(async () => {
      // Its versions may look like those of another history: nothing settled is sure.
      if (reason === 'history') await terms.offerAgain(undefined)
      if (begun) await terms.writeMeta(begun)
      await changeTo(begun)
    })
  }

  /** The server is not followed until the storage accepts the change. */
  async function retryForever(change: () => Promise<void>): Promise<void> {
    for (let failures = 1; !closed; failures += 1) {
      try {
        await change()
        if (failures > 2) terms.onStorageFails(false)
        return
      } catch {
        // A database may die before it is read; once more usually works.
        if (failures === 1) continue
        if (failures === 2) terms.onStorageFails(true)
        if (!closed) await pause(waitAfter(failures - 1, random(), longestRetryMs))
      }
    }
  }

  function exchangeLater(change: () => Promise<void>): void {
    exchange = exchange.then(change).catch(() => undefined)
  }

  const opened = retryForever(async () => await start(await terms.readMeta()))
  exchange = opened

  return {
    /** It is null between two copies. */
    running: () => running,
    /** When a copy is open for the first time, or this was closed before. */
    opened,
    /** What is on disk stays. */
    async close(): Promise<void> {
      closed = true
      closing.abort()
      terms.wakeUp()
      await opened
      const old = running
      running = null
      await old?.close()
    },
  }
}
