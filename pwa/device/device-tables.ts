import Dexie, { type EntityTable } from 'dexie'
import { announceKeptData } from '../sync/index.ts'

interface Setting {
  name: string
  value: unknown
}

export interface StoredDraft {
  /** The form it belongs to; starts with the account, `user:7/` or `visitor/`. */
  key: string
  value: unknown
  savedAt: string
}

/** What this device chose or was typed into it. Precious: it exists nowhere else. */
export const deviceDb = new Dexie('beaconry-device') as Dexie & {
  settings: EntityTable<Setting, 'name'>
  drafts: EntityTable<StoredDraft, 'key'>
}
deviceDb.version(1).stores({ settings: 'name', drafts: 'key' })
announceKeptData()
