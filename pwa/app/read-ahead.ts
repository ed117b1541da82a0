import { readCopyAhead } from '../sync/index.ts'

/** The disk reads while React is prepared. */
export const copyAhead = readCopyAhead().catch(() => false)
