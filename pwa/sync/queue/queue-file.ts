import { isInstant, isObject } from '#shared/record/record.ts'
import { parsed } from './parsed.ts'
import type { Entry, NewEntry } from './entry.ts'
import { findKnown, isDamaged, labelOf } from './mutations/mutations.ts'

const format = 'beaconry-outbox'

/** Bytes; a phone's whole queue is far smaller. */
export const largestQueueFile = 5_000_000
const mostEntries = 5_000

/** When two phones send one file, its changes happen once: keys travel along. */
export function exportEntries(userId: number | null, entries: readonly Entry[], exportedAt: string): string {
  const pending = entries.filter((entry) => entry.state !== 'acknowledged' && !entry.discarding)
  return JSON.stringify({ format, formatVersion: 1, userId, exportedAt, entries: pending }, null, 1)
}

export interface QueueFile {
  readonly userId: number | null
  /** ISO; null where the file does not say. */
  readonly exportedAt: string | null
  /** Each key once, in the order it was made. */
  readonly entries: readonly NewEntry[]
  /** In words for the person. */
  readonly unreadable: readonly string[]
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0
const isKey = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value)

/** Undefined where the refusal cannot be read: the change is then sent once more. */
function readRefusal(value: unknown): Entry['refusal'] {
  if (!isObject(value) || !isCount(value['status']) || !isInstant(value['at']) || !isObject(value['problem']))
    return undefined
  const { code, message } = value['problem']
  if (typeof code !== 'string' || typeof message !== 'string') return undefined
  return value as unknown as Entry['refusal']
}

const damaged = 'It is damaged.'
const newer = 'A newer version of this app made it. Update the app, then read the file again.'

function readEntry(value: unknown): NewEntry | string {
  if (
    !isObject(value) ||
    !isKey(value['key']) ||
    typeof value['lane'] !== 'string' ||
    typeof value['mutation'] !== 'string' ||
    !isCount(value['argsVersion']) ||
    !isInstant(value['createdAt']) ||
    !isCount(value['attempts']) ||
    !isObject(value['args'])
  ) {
    return damaged
  }
  const refusal = value['state'] === 'parked' ? readRefusal(value['refusal']) : undefined
  const entry: NewEntry = {
    key: value['key'].toLowerCase(),
    userId: null,
    lane: value['lane'],
    mutation: value['mutation'],
    args: value['args'],
    argsVersion: value['argsVersion'],
    createdAt: value['createdAt'],
    attempts: value['attempts'],
    nextAt: 0,
    ...(value['forget'] === true ? { forget: true } : {}),
    ...(refusal ? { state: 'parked', refusal } : { state: 'queued' }),
  }
  const known = findKnown(entry)
  if (!known) return isDamaged(entry) ? damaged : newer
  return isWhole(entry, known) ? entry : damaged
}

/** Whether all that the queue does with a change works with this one. */
function isWhole(entry: NewEntry, { mutation, args }: NonNullable<ReturnType<typeof findKnown>>): boolean {
  try {
    const { params = {}, body } = mutation.send(args)
    if (Object.values(params).some((value) => !isCount(value) && typeof value !== 'string')) return false
    mutation.target(args)
    JSON.stringify(body)
    return mutation.lane(args) === entry.lane && !/undefined|\[object|NaN/.test(entry.lane) && labelOf(entry) !== ''
  } catch {
    return false
  }
}

const notOurs = () => new Error('This is not a file of saved changes.')
const tooLarge = () => new Error('This file is too large to hold saved changes.')

/** @throws in words for the person */
export function readExport(text: string): QueueFile {
  if (text.length > largestQueueFile) throw tooLarge()
  const file = parsed(text)
  if (!isObject(file) || file['format'] !== format || file['formatVersion'] !== 1 || !Array.isArray(file['entries']))
    throw notOurs()
  const { userId, exportedAt } = file
  if (userId !== null && !isCount(userId)) throw notOurs()
  if (file['entries'].length > mostEntries) throw tooLarge()
  const entries = new Map<string, NewEntry>()
  const unreadable: string[] = []
  for (const value of file['entries'] as unknown[]) {
    const entry = readEntry(value)
    if (typeof entry === 'string') unreadable.push(entry)
    else if (!entries.has(entry.key)) entries.set(entry.key, { ...entry, userId })
  }
  return { userId, exportedAt: isInstant(exportedAt) ? exportedAt : null, entries: [...entries.values()], unreadable }
}

/** @throws in words for the person */
export function requireOwnFile(file: Pick<QueueFile, 'userId'>, userId: number | null): void {
  if (file.userId === userId) return
  throw new Error(
    file.userId === null
      ? 'These changes belong to another account: they were made without signing in. Sign out here, then read the file again.'
      : 'These changes belong to another account. Sign in with it on this device, then read the file again.',
  )
}
