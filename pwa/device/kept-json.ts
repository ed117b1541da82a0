import { parsed, readText } from '../sync/index.ts'

/** Undefined where nothing is kept, or nothing that can be read. */
export function readJson(...kept: Parameters<typeof readText>): unknown {
  return parsed(readText(...kept) ?? '')
}
