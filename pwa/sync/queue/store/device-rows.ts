import type { Receipt } from '../entry.ts'
import { answerOf, valueOf, type OutboxDatabase } from './outbox-db.ts'
import { type DeviceIdentity, maxRemovedAtOnce, type MetaRow } from './outbox-store.ts'

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

/** Removes the changes with these keys. */
export async function forgetEntries(database: OutboxDatabase, keys: readonly string[]): Promise<void> {
  for (let from = 0; from < keys.length; from += maxRemovedAtOnce)
    await database.transact(async ({ entries }) => {
      for (const key of keys.slice(from, from + maxRemovedAtOnce)) {
        const seq = await answerOf(entries.index('key').getKey(key))
        if (seq !== undefined) entries.delete(seq)
      }
    })
}

export async function forgetSettled(database: OutboxDatabase, userId: number): Promise<void> {
  const removeSome = () =>
    database.transact(async ({ settled }) => {
      const keys = await answerOf(settled.index('userId').getAllKeys(userId, maxRemovedAtOnce))
      for (const key of keys) settled.delete(key)
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
