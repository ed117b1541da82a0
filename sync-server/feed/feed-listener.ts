import type { Logger } from 'pino'
import { startListener } from '../db/listener.ts'
import { FEED_CHANNEL } from './change-feed.ts'

export interface FeedAnnouncement {
  readonly version: number
  /** The scope's version before the transaction. */
  readonly since: number
  readonly collections: readonly string[]
}

/** Hears of every server process's transactions. */
export interface FeedListener {
  /** A scope, or `session:<hash>` of an ended session. */
  onAnnouncement(tell: (scope: string, announcement: FeedAnnouncement) => void): void
  /** After an interruption: anything may have been missed. */
  onResumed(tell: () => void): void
  isAlive(): boolean
  close(): Promise<void>
}

/**
 * Announcements are hints; the change feed is the truth.
 * @throws when PostgreSQL cannot be listened to at first
 */
export async function startFeedListener(connectionString: string, log: Logger): Promise<FeedListener> {
  const announcements: ((scope: string, announcement: FeedAnnouncement) => void)[] = []
  const resumptions: (() => void)[] = []
  const { begun, isAlive, close } = startListener({
    connectionString,
    channel: FEED_CHANNEL,
    name: 'beaconry-listen',
    onNotification(payload) {
      const [scope = '', version = '', given = '0', collections = ''] = payload.split(' ')
      const since = Number(version) - Number(given)
      for (const tell of announcements)
        tell(scope, { version: Number(version), since, collections: collections.split(',') })
    },
    onResumed() {
      for (const tell of resumptions) tell()
    },
    log,
  })
  try {
    await begun
  } catch (error) {
    await close()
    throw error
  }
  return {
    onAnnouncement: (tell) => void announcements.push(tell),
    onResumed: (tell) => void resumptions.push(tell),
    isAlive,
    close,
  }
}
