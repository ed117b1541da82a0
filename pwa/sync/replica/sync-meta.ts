import Dexie, { type EntityTable } from 'dexie'
import type { Scope } from '#shared/sync/collections.ts'

export interface SyncMeta {
  readonly userId: number
  /**
   * The copy was pulled for this organizer and in this role, as `12 door`; without it it has the account's own events.
   */
  readonly team?: string
  readonly epoch: string
  /** Names the copy: its epoch, or a random key where one was begun in that epoch before. */
  readonly copy: string
  /** Each is `collection/key`; absent means none. */
  readonly unreadable?: readonly string[]
  /** How long the server wants settled changes to be kept here; absent before it said so. */
  readonly keepSettledHours?: number
  /** A missing scope was never pulled. */
  readonly heads: Readonly<Partial<Record<Scope, number>>>
  /** When the server was last known to have nothing newer (ISO). */
  readonly asOf: string | null
}

const db = new Dexie('beaconry-sync') as Dexie & { meta: EntityTable<SyncMeta, 'userId'> }
db.version(1).stores({ meta: 'userId' })

export async function openSyncMeta(): Promise<void> {
  await db.open()
}

export function readSyncMeta(userId: number): Promise<SyncMeta | undefined> {
  return db.meta.get(userId)
}

export async function writeSyncMeta(meta: SyncMeta): Promise<void> {
  await db.meta.put(meta)
}

export async function forgetSyncMeta(): Promise<void> {
  await db.meta.clear()
}
