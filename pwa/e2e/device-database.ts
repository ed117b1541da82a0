import type { Page } from 'playwright/test'

type Row = Record<string, unknown>

/**
 * The rows of a table of a database on the device, as its disk has them; none where there is no such table. `changes` are
 * written into the rows whose state is `state`, or into all, and `added` is put in, in the same transaction.
 */
export async function rowsOnDisk(
  page: Page,
  database: string,
  table: string,
  { changes, state, added }: { changes?: Row; state?: string; added?: Row } = {},
): Promise<Row[]> {
  const asked = { database, table, changes, state, added }
  return await page.evaluate(async (wish) => {
    const ask = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error ?? new Error('IndexedDB does not answer'))
      })
    if (!(await indexedDB.databases()).some(({ name }) => name === wish.database)) return []
    const opened = await ask(indexedDB.open(wish.database))
    try {
      if (!opened.objectStoreNames.contains(wish.table)) return []
      const mode = wish.changes || wish.added ? 'readwrite' : 'readonly'
      const store = opened.transaction(wish.table, mode).objectStore(wish.table)
      const rows = (await ask(store.getAll())) as Record<string, unknown>[]
      const chosen = wish.changes ? rows.filter((row) => !wish.state || row['state'] === wish.state) : []
      for (const row of chosen) await ask(store.put({ ...row, ...wish.changes }))
      if (wish.added) await ask(store.put(wish.added))
      return rows
    } finally {
      opened.close()
    }
  }, asked)
}

/** The queue of changes on the device, and what was kept of settled ones. */
export const queueRows = (page: Page) => rowsOnDisk(page, 'beaconry-outbox', 'entries')
export const receiptRows = (page: Page) => rowsOnDisk(page, 'beaconry-outbox', 'receipts')
