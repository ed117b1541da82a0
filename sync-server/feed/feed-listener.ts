import type { Logger } from 'pino'
import { startListener } from '../db/listener.ts'
import { FEED_CHANNEL } from './change-feed.ts'

/** What one transaction did to a scope. */
export interface FeedAnnouncement {
  readonly version: number
  /** The scope's version before it. */
  readonly since: number
  /** The collections of the documents it changed. */
  readonly collections: readonly string[]
}

/** Hears from PostgreSQL what any server process has committed. */
export interface FeedListener {
  /** A scope has a new version; also `session:<hash>` when a session was ended. */
  onAnnouncement(tell: (scope: string, announcement: FeedAnnouncement) => void): void
  /** Listening was interrupted and works again: anything may have been missed. */
  onResumed(tell: () => void): void
  /** Whether announcements arrive at this moment. */
  isAlive(): boolean
  close(): Promise<void>
}

/**
 * Listens to the change feed; see `startListener`. What it tells is a hint only: the change feed is the truth.
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
