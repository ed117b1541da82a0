/**
 * For a page that is not the app: keeps a transaction open over everything that IndexedDB has of this address, until
 * `letGo` is set on the page's window. Nothing else is answered until then.
 */
export async function holdStorage(): Promise<void> {
  for (const { name } of await indexedDB.databases()) {
    if (name === undefined) continue
    await new Promise<void>((resolve, reject) => {
      const opening = indexedDB.open(name)
      opening.onerror = () => reject(opening.error ?? new Error('The storage does not answer'))
      opening.onsuccess = () => {
        const stores = [...opening.result.objectStoreNames]
        const held = opening.result.transaction(stores, 'readwrite')
        held.oncomplete = () => opening.result.close()
        const store = held.objectStore(stores[0] ?? '')
        const askOn = () => {
          resolve()
          if (!('letGo' in window)) store.count().onsuccess = askOn
        }
        askOn()
      }
    })
  }
}
