import { hasDatabase, fetchStorageGate, type AnswerCache, type Kept } from '../sync/index.ts'

/** Loads Dexie, which a first paint must not wait for. */
const tables = async () => (await import('./device-tables.ts')).deviceDb

let known = false

/** A database that does not exist would load Dexie to be made. */
async function isThere(): Promise<boolean> {
  known ||= await hasDatabase((name) => name === 'beaconry-device')
  return known
}

export async function readSetting<T>(name: string): Promise<T | undefined> {
  return (await isThere()) ? ((await (await tables()).settings.get(name))?.value as T | undefined) : undefined
}

export async function listSettings<T>(prefix: string): Promise<{ readonly name: string; readonly value: T }[]> {
  if (!(await isThere())) return []
  const found = await (await tables()).settings.where('name').startsWith(prefix).toArray()
  return found as { name: string; value: T }[]
}

export async function writeSetting(name: string, value: unknown): Promise<void> {
  known = true
  await (await fetchStorageGate()).storageReady()
  await (await tables()).settings.put({ name, value })
}

export async function deleteSetting(name: string): Promise<void> {
  if (await isThere()) await (await tables()).settings.delete(name)
}

/** For a question whose answer is kept as a setting. */
export const asSetting = <T>(name: string): AnswerCache<T> => ({
  read: () => readSetting<Kept<T>>(name),
  keep: (kept) => writeSetting(name, kept),
  forget: () => deleteSetting(name),
})
