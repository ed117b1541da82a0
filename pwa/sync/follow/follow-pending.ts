import { outboxDatabase, outboxStore } from '../queue/store/opened-outbox.ts'
import { noteStorageFails } from '../../browser/storage-trouble.ts'
import { beginPending, beginReading, showReading } from '../replica/pending-writes.ts'
import { readPaced } from './paced-reading.ts'

let stop: (() => void) | undefined

/** While hundreds of changes leave, the queue is read no more often. */
const crowdedMs = 100
const crowd = 100
const tryAgainMs = 5_000

/** @param userId null: a visitor's queue only @returns ends it, as the next call does */
export function followPending(userId: number | null): () => void {
  stop?.()
  beginPending(userId)
  let retry: ReturnType<typeof setTimeout> | undefined
  const { refresh, end } = readPaced({
    read: async () => {
      const reading = beginReading()
      const [account, visitor] = await Promise.all([
        userId === null ? [] : outboxStore.entriesOf(userId),
        outboxStore.entriesOf(null),
      ])
      return { reading, account, visitor }
    },
    onRead: ({ reading, ...entries }) => {
      noteStorageFails('queue', false)
      showReading(reading, userId, entries)
    },
    onFailed: () => {
      noteStorageFails('queue', true)
      retry = setTimeout(refresh, tryAgainMs)
    },
    restMs: ({ account, visitor }) => (account.length + visitor.length < crowd ? 0 : crowdedMs),
  })
  const ignore = outboxDatabase.onWritten(refresh)
  stop = () => {
    ignore()
    clearTimeout(retry)
    end()
  }
  refresh()
  return stop
}
