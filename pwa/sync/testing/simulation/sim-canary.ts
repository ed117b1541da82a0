import type { offerAgain } from '../../drain/offer-again.ts'
import type { Entry } from '../../queue/entry.ts'
import type { Change, OutboxStore, Row } from '../../queue/store/outbox-store.ts'
import type { Timers } from '../../drain/wake.ts'
import type { PageAnswer } from '../../follow/pull.ts'
import type { LogRow, ModelServer } from '../model-server.ts'
import type { Variant } from './sim-device.ts'
import type { Fold } from './sim-screen.ts'

/** One seeded bug: what it puts in the place of something right. None of it is a history without bugs. */
export interface Canary extends Variant {
  readonly server?: (server: ModelServer) => ModelServer
  readonly fold?: Fold
  readonly pull?: (
    collection: 'events' | 'applications',
    after: number,
    limit: number,
    server: ModelServer,
  ) => { rows: LogRow[]; head: number }
  readonly offerAgain?: typeof offerAgain
  /** A copy that cannot be continued is opened again. */
  readonly keepsCopyOnReset?: boolean
  /** Notes where a poke's documents lead to without writing them. */
  readonly losesCarried?: boolean
  /** What the page hears on a stream. */
  readonly hears?: (pieces: AsyncIterable<string>, timers: Timers) => AsyncIterable<string>
  /** What a pull is answered. */
  readonly answers?: (answer: PageAnswer) => PageAnswer
  /** The id of an event that a device is about to publish, by what its copy holds. */
  readonly newId?: (deviceName: string, known: readonly number[]) => number
  /** What is on the disk after a row was damaged. */
  readonly damaged?: (row: Row) => Entry | null
}

/** A store whose changes are altered on their way to the disk. */
export function altering(
  alter: (change: Change<unknown>, before: ReadonlyMap<number, Entry>) => Change<unknown>,
  sight = (entries: readonly Entry[]) => entries,
) {
  return (store: OutboxStore): OutboxStore => ({
    ...store,
    change: (lanes, decide) =>
      store.change(lanes, (seen) => {
        const before = new Map(seen.entries.map((entry) => [entry.seq, entry]))
        return alter(decide({ ...seen, entries: sight(seen.entries) }), before) as ReturnType<typeof decide>
      }),
  })
}

/** Every entry that is written is looked at; null takes it off the disk instead. */
export const rewriting = (rewrite: (entry: Entry, before: Entry | undefined) => Entry | null) =>
  altering((change, before) => {
    const remove = [...(change.remove ?? [])]
    const put = (change.put ?? []).flatMap((entry) => {
      const next = rewrite(entry, before.get(entry.seq))
      if (!next) remove.push(entry.seq)
      return next ?? []
    })
    return { ...change, put, remove }
  })
