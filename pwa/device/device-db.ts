import Dexie, { type EntityTable } from 'dexie'

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

/** A setting's value; undefined when it was never set. */
export async function readSetting<T>(name: string): Promise<T | undefined> {
  return (await deviceDb.settings.get(name))?.value as T | undefined
}

/** Keeps a setting. */
export async function writeSetting(name: string, value: unknown): Promise<void> {
  await deviceDb.settings.put({ name, value })
}

/** Forgets a setting. */
export async function deleteSetting(name: string): Promise<void> {
  await deviceDb.settings.delete(name)
}
