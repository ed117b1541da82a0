import type { Page } from 'playwright/test'

type Row = Record<string, unknown>

/**
 * The rows of a table of a database on the device, as its disk has them; none where there is no such table. `changes` are
 * written into the rows whose state is `state`, or into all, in the same transaction.
 */
export async function rowsOnDisk(
  page: Page,
  database: string,
  table: string,
  { changes, state }: { changes?: Row; state?: string } = {},
): Promise<Row[]> {
  const asked = { database, table, changes, state }
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
      const mode = wish.changes ? 'readwrite' : 'readonly'
      const store = opened.transaction(wish.table, mode).objectStore(wish.table)
      const rows = (await ask(store.getAll())) as Record<string, unknown>[]
      const chosen = wish.changes ? rows.filter((row) => !wish.state || row['state'] === wish.state) : []
      for (const row of chosen) await ask(store.put({ ...row, ...wish.changes }))
      return rows
    } finally {
      opened.close()
    }
  }, asked)
}

/** The queue of changes on the device, and what was kept of settled ones. */
export const queueRows = (page: Page) => rowsOnDisk(page, 'beaconry-outbox', 'entries')
export const receiptRows = (page: Page) => rowsOnDisk(page, 'beaconry-outbox', 'receipts')

/** Every text in every database of the device. */
export const textsOnDisk = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const ask = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error ?? new Error('IndexedDB does not answer'))
      })
    const texts: string[] = []
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await ask(indexedDB.open(name))
      for (const table of database.objectStoreNames)
        texts.push(JSON.stringify(await ask(database.transaction(table).objectStore(table).getAll())))
      database.close()
    }
    return texts.join('\n')
  })
