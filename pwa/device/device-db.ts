/** The tables bring Dexie along, which a first paint must not wait for. */
const tables = async () => (await import('./device-tables.ts')).deviceDb

/** A setting's value; undefined when it was never set. */
export async function readSetting<T>(name: string): Promise<T | undefined> {
  return (await (await tables()).settings.get(name))?.value as T | undefined
}

/** Keeps a setting. */
export async function writeSetting(name: string, value: unknown): Promise<void> {
  await (await tables()).settings.put({ name, value })
}

/** Forgets a setting. */
export async function deleteSetting(name: string): Promise<void> {
  await (await tables()).settings.delete(name)
}
