import { readText, writeText } from '../../browser/browser-storage.ts'
import type { Intention } from '../queue/entry.ts'
import type { Outbox } from '../queue/enqueue.ts'
import { findKnown } from '../queue/mutations/mutations.ts'
import { parsed } from '#shared/text/parsed.ts'

/**
 * Changes that a page showed as not saved yet: in localStorage, which a page can still write while IndexedDB does not
 * answer or the page is being left. The next start puts them into the queue.
 */
const name = 'beaconry-changes'

export interface LeftChange extends Intention {
  readonly key: string
  readonly userId: number | null
  readonly organizerId?: number
}

function readLeft(): readonly LeftChange[] {
  const left = parsed(readText(name) ?? '')
  return Array.isArray(left) ? (left as LeftChange[]) : []
}

function writeLeft(left: readonly LeftChange[]): void {
  writeText(name, left.length === 0 ? null : JSON.stringify(left))
}

export function keepLeftChange(change: LeftChange): void {
  writeLeft([...readLeft().filter(({ key }) => key !== change.key), change])
}

export function dropLeftChanges(keys: readonly string[]): void {
  const left = readLeft()
  const rest = left.filter(({ key }) => !keys.includes(key))
  if (rest.length < left.length) writeLeft(rest)
}

/**
 * Puts what earlier pages left into the queue. The key stays: a change that had been committed and sent after all is not
 * made again by the server.
 */
export async function takeInLeftChanges(enqueue: Outbox['enqueue']): Promise<void> {
  for (const change of readLeft()) {
    const known = findKnown(change)
    const { key, userId, organizerId } = change
    const sender = { userId, ...(organizerId === undefined ? {} : { organizerId }) }
    if (known) await enqueue(known.mutation, known.args, { ...sender, key })
    dropLeftChanges([change.key])
  }
}
