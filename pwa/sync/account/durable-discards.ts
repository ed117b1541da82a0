import { outbox } from '../queue/outbox.ts'
import { writeText } from '../../browser/browser-storage.ts'
import { readJson } from '../../browser/kept-json.ts'

/**
 * Keys of discarded changes until the queue has stored it: a page left at the moment of the press loses its
 * transaction; localStorage writes at once.
 */
const name = 'beaconry-discards'

function read(): string[] {
  const keys = readJson(name)
  return Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : []
}

function write(keys: readonly string[]): void {
  writeText(name, keys.length === 0 ? null : JSON.stringify(keys))
}

export async function discardDurably(entry: {
  readonly seq: number
  readonly key: string
}): ReturnType<typeof outbox.discard> {
  write([...new Set([...read(), entry.key])])
  const outcome = await outbox.discard(entry.seq)
  write(read().filter((key) => key !== entry.key))
  return outcome
}

/** Finishes what pages left before the queue stored a discard. */
export async function finishDiscards(userId: number | null): Promise<void> {
  const keys = new Set(read())
  if (keys.size === 0) return
  const entries = [...(await outbox.pendingFor(null)), ...(userId === null ? [] : await outbox.pendingFor(userId))]
  for (const entry of entries) if (keys.has(entry.key)) await discardDurably(entry)
}
