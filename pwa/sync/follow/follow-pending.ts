import { outboxDatabase, outboxStore } from '../queue/store/opened-outbox.ts'
import { beginReading, showReading } from '../replica/pending-writes.ts'

let stop: (() => void) | undefined

/** While hundreds of changes leave, the queue is read again this often at most. */
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
    // The queue cannot be read (storage forbidden): the screens show the server's documents.
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

interface PacedReading<T> {
  readonly read: () => Promise<T>
  readonly onRead: (value: T) => void
  readonly onFailed: () => void
  /** For how many milliseconds a reading is good enough while further changes come; 0 = not at all. */
  readonly restMs: (value: T) => number
}

/**
 * The first change after a rest is read at once; changes during a reading, or during the rest after a costly one, are read
 * together. The last change is always read.
 */
export function readPaced<T>({ read, onRead, onFailed, restMs }: PacedReading<T>): { refresh(): void; end(): void } {
  let isBusy = false
  let isAsked = false
  let hasEnded = false
  let timer: ReturnType<typeof setTimeout> | undefined

  const refresh = () => {
    isAsked = true
    if (!isBusy && !hasEnded) void run()
  }
  const run = async () => {
    isBusy = true
    isAsked = false
    let rest = 0
    try {
      const value = await read()
      if (hasEnded) return
      rest = restMs(value)
      onRead(value)
    } catch {
      if (!hasEnded) onFailed()
    }
    const rested = () => {
      isBusy = false
      if (isAsked && !hasEnded) void run()
    }
    if (rest > 0) timer = setTimeout(rested, rest)
    else rested()
  }
  return {
    refresh,
    end() {
      hasEnded = true
      clearTimeout(timer)
    },
  }
}
