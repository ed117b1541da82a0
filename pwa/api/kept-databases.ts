/**
 * Whether this device has a database that fits. Asking costs no Dexie and makes none; true where the browser does not say,
 * for then it must be looked into.
 */
export async function hasDatabase(fits: (name: string) => boolean): Promise<boolean> {
  try {
    return (await indexedDB.databases()).some(({ name }) => name !== undefined && fits(name))
  } catch {
    return true
  }
}
