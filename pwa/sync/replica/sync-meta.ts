import Dexie, { type EntityTable } from 'dexie'
import type { Collection } from '#shared/sync/collections.ts'

export interface SyncMeta {
  readonly userId: number
  readonly epoch: string
  /** How often the copy was begun anew in this epoch; absent = 0. */
  readonly generation?: number
  /** As `collection/key`; absent = none. */
  readonly unreadable?: readonly string[]
  /** How long the server wants settled changes to be kept here; absent before it said so. */
  readonly keepSettledHours?: number
  /** A missing collection was never pulled. */
  readonly heads: Readonly<Partial<Record<Collection, number>>>
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
