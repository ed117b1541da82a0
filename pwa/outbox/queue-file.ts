import type { Entry, NewEntry } from './entry.ts'

const format = 'beaconry-outbox'

/** The changes that are not at the server yet, as the text of a file. Keys travel along: two phones that send one file do it once. */
export function exportEntries(userId: number | null, entries: readonly Entry[], exportedAt: string): string {
  const pending = entries.filter((entry) => entry.state !== 'acknowledged' && !entry.discarding)
  return JSON.stringify({ format, formatVersion: 1, userId, exportedAt, entries: pending }, null, 1)
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

function readEntry(value: unknown): NewEntry {
  if (
    !isRecord(value) ||
    typeof value['key'] !== 'string' ||
    !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value['key']) ||
    typeof value['lane'] !== 'string' ||
    typeof value['mutation'] !== 'string' ||
    typeof value['argsVersion'] !== 'number' ||
    typeof value['createdAt'] !== 'string' ||
    typeof value['attempts'] !== 'number' ||
    (value['userId'] !== null && typeof value['userId'] !== 'number')
  ) {
    throw new Error('This file holds a change that cannot be read.')
  }
  const refusal = value['state'] === 'parked' ? value['refusal'] : undefined
  return {
    key: value['key'],
    userId: value['userId'],
    lane: value['lane'],
    mutation: value['mutation'],
    args: value['args'],
    argsVersion: value['argsVersion'],
    createdAt: value['createdAt'],
    attempts: value['attempts'],
    nextAt: 0,
    ...(isRecord(refusal)
      ? { state: 'parked', refusal: refusal as unknown as NonNullable<Entry['refusal']> }
      : { state: 'queued' }),
  }
}

/** Reads such a file. Throws, in words for the person, when it is something else. */
export function readExport(text: string): { userId: number | null; entries: NewEntry[] } {
  let file: unknown
  try {
    file = JSON.parse(text)
  } catch {
    throw new Error('This is not a file of saved changes.')
  }
  if (!isRecord(file) || file['format'] !== format || file['formatVersion'] !== 1 || !Array.isArray(file['entries'])) {
    throw new Error('This is not a file of saved changes.')
  }
  const userId = file['userId']
  if (userId !== null && typeof userId !== 'number') throw new Error('This is not a file of saved changes.')
  return { userId, entries: file['entries'].map(readEntry) }
}
