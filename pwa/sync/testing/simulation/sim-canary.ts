import type { Entry } from '../../queue/entry.ts'
import type { Change, OutboxStore } from '../../queue/store/outbox-store.ts'

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
