import type { Receipt } from '../entry.ts'
import { answerOf, valueOf, type OutboxDatabase, type Tables } from './outbox-db.ts'
import { type DeviceIdentity, maxRemovedAtOnce, type MetaRow, ownerOf } from './outbox-store.ts'

/** Tells whether the row that every start leaves behind is missing. The next start finds it. */
export async function isFirstStart(database: OutboxDatabase): Promise<boolean> {
  return await database.transact(async ({ meta }) => {
    const wasStarted = await valueOf(meta, 'started')
    meta.put({ name: 'started', value: true } satisfies MetaRow)
    return !wasStarted
  })
}

export async function renameDevice(database: OutboxDatabase, name: string): Promise<void> {
  await database.transact(async ({ meta }) => {
    const known = (await valueOf(meta, 'device')) as DeviceIdentity | undefined
    if (known) meta.put({ name: 'device', value: { ...known, name } } satisfies MetaRow)
  })
}

export async function forgetEntries(database: OutboxDatabase, userId: number): Promise<void> {
  await removeAll(database, ({ entries }) => entries, 'owner', ownerOf(userId))
}

export async function forgetSettled(database: OutboxDatabase, userId: number): Promise<void> {
  await removeAll(database, ({ settled }) => settled, 'userId', userId)
}

async function removeAll(
  database: OutboxDatabase,
  tableOf: (tables: Tables) => IDBObjectStore,
  index: string,
  value: IDBValidKey,
): Promise<void> {
  const removeSome = () =>
    database.transact(async (tables) => {
      const table = tableOf(tables)
      const keys = await answerOf(table.index(index).getAllKeys(value, maxRemovedAtOnce))
      for (const key of keys) table.delete(key)
      return keys.length
    })
  while ((await removeSome()) === maxRemovedAtOnce);
}

export async function removeReceipts(database: OutboxDatabase, isMeant: (receipt: Receipt) => boolean): Promise<void> {
  await database.transact(async ({ receipts }) => {
    for (const receipt of await answerOf(receipts.getAll() as IDBRequest<Receipt[]>))
      if (isMeant(receipt)) receipts.delete(receipt.key)
  })
}

export async function countEntries(database: OutboxDatabase): Promise<number> {
  return (await database.read('entries', (table) => table.count())) ?? 0
}
