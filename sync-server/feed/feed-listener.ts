import type { Knex } from 'knex'
import type { Logger } from 'pino'
import { startListener } from '../db/listener.ts'
import { FEED_CHANNEL } from './change-feed.ts'

export interface FeedAnnouncement {
  readonly version: number
  /** The scope's version before the transaction. */
  readonly since: number
  readonly collections: readonly string[]
}

/** Of every server process's transactions. */
export interface FeedListener {
  /** A scope, or `session:<hash>` of an ended session. */
  onAnnouncement(tell: (scope: string, announcement: FeedAnnouncement) => void): void
  /** After an interruption: anything may have been missed. */
  onResumed(tell: () => void): void
  isAlive(): boolean
  /**
   * Whether `db`'s announcements are heard within three seconds. Askers share one, and one heard within the last second
   * counts.
   */
  hearsItself(db: Knex): Promise<boolean>
  close(): Promise<void>
}

/** Announced instead of a scope, with a random name after it. */
const BEAT = 'beat:'
const beatMs = 3_000
const freshMs = 1_000

/**
 * Announcements are hints; the change feed is the truth.
 * @throws when PostgreSQL cannot be listened to at first
 */
export async function startFeedListener(connectionString: string, log: Logger): Promise<FeedListener> {
  const announcements: ((scope: string, announcement: FeedAnnouncement) => void)[] = []
  const resumptions: (() => void)[] = []
  const beats = new Map<string, () => void>()
  let hearing: Promise<boolean> | undefined
  let heardAtMs = -Infinity

  async function hear(db: Knex): Promise<boolean> {
    const beat = BEAT + globalThis.crypto.randomUUID()
    let timer: NodeJS.Timeout | undefined
    const heard = new Promise<boolean>((resolve) => {
      beats.set(beat, () => resolve(true))
      timer = setTimeout(() => resolve(false), beatMs)
    })
    try {
      await db.raw('select pg_notify(?, ?)', [FEED_CHANNEL, beat])
      if (!(await heard)) return false
      heardAtMs = performance.now()
      return true
    } finally {
      clearTimeout(timer)
      beats.delete(beat)
    }
  }

  const { begun, isAlive, close } = startListener({
    connectionString,
    channel: FEED_CHANNEL,
    name: 'beaconry-listen',
    onNotification(payload) {
      const [scope = '', version = '', given = '0', collections = ''] = payload.split(' ')
      if (scope.startsWith(BEAT)) return beats.get(scope)?.()
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
    hearsItself: async (db) => {
      if (performance.now() - heardAtMs < freshMs) return true
      hearing ??= hear(db).finally(() => {
        hearing = undefined
      })
      return await hearing
    },
    close,
  }
}
