import { hasDatabase, readText } from './browser-storage.ts'

/** This is kept outside IndexedDB, which browsers throw away alone when the disk is full. */
export const startedBefore = 'beaconry/started'

const browseDatabase = 'beaconry-browse'

/** Whether this device has, or had, anything that can be sent, followed or lost. */
export async function isKeptHere(): Promise<boolean> {
  if (readText(startedBefore) !== null) return true
  return await hasDatabase((name) => name.includes('beaconry-') && name !== browseDatabase)
}
