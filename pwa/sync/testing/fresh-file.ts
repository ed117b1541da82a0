// Before any file loads Dexie, which looks for it once.
import 'fake-indexeddb/auto'
import { vi } from 'vitest'

// What Node 20 lacks of a browser; the queue reads it when it is opened.
Object.defineProperty(globalThis, 'navigator', { value: { userAgent: 'Chrome/150 Linux' }, configurable: true })

/** Test files share one process and its modules. Each begins with real globals, a real clock and an empty fake IndexedDB. */
vi.unstubAllGlobals()
vi.unstubAllEnvs()
vi.useRealTimers()
for (const { name } of await indexedDB.databases())
  await new Promise<void>((resolve, reject) => {
    const request = indexedDB.deleteDatabase(name ?? '')
    request.addEventListener('success', () => resolve())
    request.addEventListener('error', () => reject(request.error))
  })
