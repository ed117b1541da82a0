import type { Page } from 'playwright/test'

/**
 * Everything a device keeps for our pages but its cookies, as one text to search: all IndexedDB databases, local and
 * session storage, caches and notifications. It runs in the page.
 */
export async function readStorage(): Promise<string> {
  const found: unknown[] = [{ ...localStorage }, { ...sessionStorage }]
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
  for (const name of await caches.keys()) {
    const cache = await caches.open(name)
    for (const request of await cache.keys()) {
      const answer = await cache.match(request)
      const type = answer?.headers.get('content-type') ?? ''
      found.push(request.url, /text|json|javascript/.test(type) ? await answer?.text() : '')
    }
  }
  const registration = await navigator.serviceWorker.getRegistration()
  for (const { title, body, tag, data } of (await registration?.getNotifications()) ?? [])
    found.push(title, body, tag, data)
  return JSON.stringify(found)
}

/** The same with the cookies. */
export const everythingStored = async (page: Page): Promise<string> =>
  (await page.evaluate(readStorage)) + JSON.stringify(await page.context().cookies())

/** What a device keeps and what its page shows: the address, the history's state, and the page with what its fields hold. */
export async function everythingKept(page: Page): Promise<string> {
  const shown = await page.evaluate(() => {
    const fields = Array.from(document.querySelectorAll<HTMLInputElement>('input, textarea'), ({ value }) => value)
    return [location.href, document.title, history.state as unknown, document.documentElement.outerHTML, fields]
  })
  return (await everythingStored(page)) + JSON.stringify(shown)
}
