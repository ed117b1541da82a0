import type { Receipt, Settled } from '../entry.ts'
import { answerOf, valueOf, type OutboxDatabase } from './outbox-db.ts'
import { type DeviceIdentity, type MetaRow, ownerOf, type Row } from './outbox-store.ts'

/**
 * Whether the browser has cleared this device's storage: the row that every start writes is missing, though
 * `startedBefore` (kept in another storage) is true.
 */
export async function storageWasCleared(database: OutboxDatabase, startedBefore: boolean): Promise<boolean> {
  return await database.transact(async ({ meta }) => {
    const sentinel = await valueOf(meta, 'sentinel')
    if (!sentinel) meta.put({ name: 'sentinel', value: true } satisfies MetaRow)
    return startedBefore && !sentinel
  })
}

export async function renameDevice(database: OutboxDatabase, name: string): Promise<void> {
  await database.transact(async ({ meta }) => {
    const known = (await valueOf(meta, 'device')) as DeviceIdentity | undefined
    if (known) meta.put({ name: 'device', value: { ...known, name } } satisfies MetaRow)
  })
}

export async function forgetAccount(database: OutboxDatabase, userId: number): Promise<void> {
  await database.transact(async ({ entries }) => {
    const rows = await answerOf(entries.index('owner').getAll(ownerOf(userId)) as IDBRequest<(Row & { seq: number })[]>)
    for (const { seq } of rows) entries.delete(seq)
  })
}

export async function forgetSettled(database: OutboxDatabase, userId: number): Promise<void> {
  await database.transact(async ({ settled }) => {
    const kept = settled ? await answerOf(settled.index('userId').getAll(userId) as IDBRequest<Settled[]>) : []
    for (const { seq } of kept) settled?.delete(seq)
  })
}

export async function takeReceipts(
  database: OutboxDatabase,
  isMeant: (receipt: Receipt) => boolean,
): Promise<Receipt[]> {
  return await database.transact(async ({ receipts }) => {
    const mine = (await answerOf(receipts.getAll() as IDBRequest<Receipt[]>)).filter(isMeant)
    for (const { key } of mine) receipts.delete(key)
    return mine
  })
}

/** Of all accounts and of visitors. */
export async function holdsNothing(database: OutboxDatabase): Promise<boolean> {
  const receipts = (await database.read('receipts', (table) => table.count())) ?? 0
  return receipts === 0 && (await countEntries(database)) === 0
}

export async function countEntries(database: OutboxDatabase): Promise<number> {
  return (await database.read('entries', (table) => table.count())) ?? 0
}

/** This page keeps its device's id. */
export async function beginAnew(database: OutboxDatabase, device: DeviceIdentity): Promise<void> {
  await database.transact(async ({ meta }) => {
    const rows: MetaRow[] = [
      { name: 'device', value: device },
      { name: 'sentinel', value: true },
      { name: 'account', value: null },
    ]
    for (const row of rows) meta.put(row)
  })
}
