import { outboxDatabase, outboxStore } from '../../outbox/store/opened-outbox.ts'
import { readPaced } from './paced.ts'
import { beginReading, showReading } from '../view/pending-writes.ts'

let stop: (() => void) | undefined

/** While hundreds of changes leave, the queue is read again this often at most. */
const crowdedMs = 100
const crowd = 100

/** Shows the screens the queue of one account, or of nobody, and a visitor's; replaces the one followed before. */
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
    // The queue cannot be read here (storage forbidden): the screens show what the server says.
    onFailed: () => showReading(beginReading(), userId, { account: [], visitor: [] }),
    restMs: ({ account, visitor }) => (account.length + visitor.length < crowd ? 0 : crowdedMs),
  })
  // Said of every commit, in this tab, in another or by the service worker.
  const ignore = outboxDatabase.onWritten(refresh)
  stop = () => {
    ignore()
    end()
  }
  refresh()
}
