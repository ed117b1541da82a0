import type { Page } from 'playwright/test'

/**
 * Everything a page's origin keeps on the device and what the page shows, as one text to search: all IndexedDB databases,
 * local and session storage, caches, the address, the history's state, and the page with what stands in its fields.
 */
export async function everythingKept(page: Page): Promise<string> {
  return await page.evaluate(async () => {
    const found: unknown[] = []
    const result = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error ?? new Error('The database does not answer'))
      })
    for (const { name } of await indexedDB.databases()) {
      if (name === undefined) continue
      const database = await result(indexedDB.open(name))
      for (const table of Array.from(database.objectStoreNames)) {
        const store = database.transaction(table).objectStore(table)
        found.push(name, table, await result(store.getAllKeys()), await result(store.getAll()))
      }
      database.close()
    }
    found.push(Object.entries(localStorage), Object.entries(sessionStorage))
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const request of await cache.keys()) {
        const answer = await cache.match(request)
        const type = answer?.headers.get('content-type') ?? ''
        found.push(request.url, /json|text\/plain/.test(type) ? await answer?.text() : '')
      }
    }
    const fields = Array.from(document.querySelectorAll<HTMLInputElement>('input, textarea'), ({ value }) => value)
    found.push(location.href, document.title, history.state, document.documentElement.outerHTML, fields)
    return JSON.stringify(found)
  })
}
