import { type questions } from '../sync/index.ts'
import { hasDatabase } from '../browser/browser-storage.ts'

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

export async function writeSetting(name: string, value: unknown): Promise<void> {
  known = true
  await (await tables()).settings.put({ name, value })
}

export async function deleteSetting(name: string): Promise<void> {
  if (await isThere()) await (await tables()).settings.delete(name)
}

/** Serves a question whose answer is kept as a setting. */
export const asSetting = <T>(name: string): questions.AnswerCache<T> => ({
  read: () => readSetting<questions.Kept<T>>(name),
  keep: (kept) => writeSetting(name, kept),
  forget: () => deleteSetting(name),
})
