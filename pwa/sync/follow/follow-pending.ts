import { outboxDatabase, outboxStore } from '../queue/store/opened-outbox.ts'
import { beginReading, showReading } from '../replica/pending-writes.ts'
import { readPaced } from './paced-reading.ts'

let stop: (() => void) | undefined

/** While hundreds of changes leave, the queue is read no more often. */
const crowdedMs = 100
const crowd = 100

/** Null: a visitor's queue only. */
export function followPending(userId: number | null): void {
  stop?.()
  const { refresh, end } = readPaced({
    read: async () => {
      const reading = beginReading()
      const [account, visitor] = await Promise.all([
        userId === null ? [] : outboxStore.entriesOf(userId),
        outboxStore.entriesOf(null),
      ])
      return { reading, account, visitor }
    },
    onRead: ({ reading, ...entries }) => showReading(reading, userId, entries),
    // Storage is forbidden: the screens show the server's documents.
    onFailed: () => showReading(beginReading(), userId, { account: [], visitor: [] }),
    restMs: ({ account, visitor }) => (account.length + visitor.length < crowd ? 0 : crowdedMs),
  })
  const ignore = outboxDatabase.onWritten(refresh)
  stop = () => {
    ignore()
    end()
  }
  refresh()
}
