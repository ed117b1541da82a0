import { startedBefore } from './kept-here.ts'
import { readText, storageWasCleared, writeText, type OutboxDatabase } from '../sync/index.ts'

/**
 * The database is empty though local storage, or a session that only the server remembers, tells of an earlier start.
 * @param sessionOutlived whether the server knew a session of which this device knew nothing
 */
export async function findClearedStorage(
  database: OutboxDatabase,
  sessionOutlived: Promise<boolean>,
): Promise<boolean> {
  const isRemembered = rememberStart()
  const isEmpty = await storageWasCleared(database, true)
  return isEmpty && (isRemembered || (await sessionOutlived))
}

/** @returns whether there was a start before this one */
function rememberStart(): boolean {
  const isRemembered = readText(startedBefore) !== null
  writeText(startedBefore, '1')
  return isRemembered
}
