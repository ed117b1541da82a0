import Dexie, { type EntityTable } from 'dexie'
import { announceKeptData } from '../browser/keeping.ts'
import { takeInLeftDrafts, type KeptDraft } from './left-drafts.ts'

interface Setting {
  name: string
  value: unknown
}

/** Exists nowhere else. */
export const deviceDb = new Dexie('beaconry-device') as Dexie & {
  settings: EntityTable<Setting, 'name'>
  drafts: EntityTable<KeptDraft, 'key'>
}
deviceDb.version(1).stores({ settings: 'name', drafts: 'key' })
// This runs before any question to it is answered. What cannot be taken in stays where it is.
deviceDb.on('ready', (db) => takeInLeftDrafts((db as typeof deviceDb).drafts).catch(() => undefined), true)
announceKeptData()
