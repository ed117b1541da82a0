import { parsed } from '#shared/text/parsed.ts'
import { readText } from './browser-storage.ts'

/** Returns undefined where nothing is kept, or nothing that can be read. */
export function readJson(...kept: Parameters<typeof readText>): unknown {
  return parsed(readText(...kept) ?? '')
}
