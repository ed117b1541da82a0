import type { Knex } from 'knex'
import type { Logger } from 'pino'
import { startListener } from '../db/listener.ts'
import { FEED_CHANNEL } from './change-feed.ts'

/** Hears of every server process's transactions. */
export interface FeedListener {
  /** A name is a scope, or `session:<hash>` of an ended session. */
  onAnnouncement(tell: (scope: string, version: number) => void): void
  /** After an interruption: anything may have been missed. */
  onResumed(tell: () => void): void
  isAlive(): boolean
  /**
   * Tells whether `db`'s announcements are heard within three seconds. Askers share one, and one heard within the last
   * second counts.
   */
  hearsItself(db: Knex): Promise<boolean>
  close(): Promise<void>
}

/** It is announced instead of a scope, with a random name after it. */
const BEAT = 'beat:'
const beatMs = 3_000
const freshMs = 1_000

/**
 * Announcements are hints; the change feed is the truth.
 * @throws when PostgreSQL cannot be listened to at first
 */
export async function startFeedListener(connectionString: string, log: Logger): Promise<FeedListener> {
  const announcements: ((scope: string, version: number) => void)[] = []
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
      const [scope = '', version = ''] = payload.split(' ')
      if (scope.startsWith(BEAT)) return beats.get(scope)?.()
      for (const tell of announcements) tell(scope, Number(version))
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
