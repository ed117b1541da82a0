import { hasDatabase, fetchStorageGate } from '../sync/index.ts'

/** The tables bring Dexie along, which a first paint must not wait for. */
const tables = async () => (await import('./device-tables.ts')).deviceDb

let known = false

/** Whether anything was ever set: asking a database that does not exist would load Dexie to make an empty one. */
async function isThere(): Promise<boolean> {
  known ||= await hasDatabase((name) => name === 'beaconry-device')
  return known
}

/** A setting's value; undefined when it was never set. */
export async function readSetting<T>(name: string): Promise<T | undefined> {
  return (await isThere()) ? ((await (await tables()).settings.get(name))?.value as T | undefined) : undefined
}

/** Keeps a setting. */
export async function writeSetting(name: string, value: unknown): Promise<void> {
  known = true
  await (await fetchStorageGate()).storageReady()
  await (await tables()).settings.put({ name, value })
}

/** Forgets a setting. */
export async function deleteSetting(name: string): Promise<void> {
  if (await isThere()) await (await tables()).settings.delete(name)
}
