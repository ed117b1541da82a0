import type { Browser, Page } from 'playwright/test'
import { timesTheFloor, type Figure } from '../../sync-server/bench/figures.ts'
import type { Stage } from '../../sync-server/bench/stage.ts'
import { openContext, openDevice } from './browser.ts'

/**
 * From the first question for applications to the last document written, on a device that never was here. The floor:
 * the same bytes downloaded in one piece, parsed, and put into one object store with the same indexes in one go.
 */
export async function benchFirstSync(
  browser: Browser,
  stage: Stage,
  rawPort: number,
  count: number,
  limit: number,
  runs: number,
): Promise<Figure> {
  const organizer = await stage.addOrganizer(count)
  const cookie = await stage.signIn(organizer.userId)
  await keepForFloor(stage, cookie, rawPort, count)
  const seen: number[] = []
  const floor: number[] = []
  for (let run = 0; run < runs; run += 1) {
    floor.push(await floorOnce(browser, rawPort, count))
    const { context, page } = await openDevice(browser, stage.server.origin, cookie)
    await page.goto('/dashboard')
    seen.push(await syncedAfter(page, organizer.userId))
    await context.close()
  }
  return timesTheFloor(`First sync of ${count.toLocaleString('en-US')} applications`, seen, floor, limit)
}

/** Milliseconds from the first pull of applications to the note that they are all written. */
async function syncedAfter(page: Page, userId: number): Promise<number> {
  return await page.evaluate(async (userId) => {
    const hasHead = () =>
      new Promise<boolean>((resolve) => {
        const opening = indexedDB.open('beaconry-sync')
        opening.onupgradeneeded = () => opening.transaction?.abort()
        opening.onerror = () => resolve(false)
        opening.onsuccess = () => {
          const database = opening.result
          const done = (answer: boolean) => {
            database.close()
            resolve(answer)
          }
          if (!database.objectStoreNames.contains('meta')) return done(false)
          const asking = database.transaction('meta').objectStore('meta').get(userId)
          asking.onsuccess = () => done(asking.result?.heads?.org !== undefined)
          asking.onerror = () => done(false)
        }
      })
    while (!(await hasHead())) await new Promise((resolve) => setTimeout(resolve, 4))
    const end = performance.now()
    const pulls = performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.includes('/api/sync/pull') && name.includes('scope=org'))
    return end - Math.min(...pulls.map(({ startTime }) => startTime))
  }, userId)
}

/** Gives the raw server what the device would pull. */
async function keepForFloor(stage: Stage, cookie: string, rawPort: number, count: number): Promise<void> {
  const documents: unknown[] = []
  let after = ''
  for (;;) {
    const answer = await fetch(`${stage.server.origin}/api/sync/pull?scope=org&limit=5000${after}`, {
      headers: { cookie: `sid=${cookie}` },
    })
    const page = (await answer.json()) as {
      documents: { collection: string }[]
      checkpoint: string
      more: boolean
    }
    documents.push(...page.documents.filter(({ collection }) => collection === 'applications'))
    if (!page.more) break
    after = `&checkpoint=${page.checkpoint}`
  }
  if (documents.length !== count) throw new Error(`${documents.length} documents are to be pulled, not ${count}`)
  await fetch(`http://localhost:${rawPort}/keep?name=${count}`, { method: 'POST', body: JSON.stringify({ documents }) })
}

async function floorOnce(browser: Browser, rawPort: number, count: number): Promise<number> {
  const context = await openContext(browser)
  const page = await context.newPage()
  await page.goto(`http://localhost:${rawPort}/`)
  const ms = await page.evaluate(async (count) => {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open('floor', 1)
      // As RxDB's Dexie storage lays a collection out: the key and one index on what is deleted.
      opening.onupgradeneeded = () =>
        opening.result.createObjectStore('docs', { keyPath: 'key' }).createIndex('deleted', ['_deleted', 'key'])
      opening.onsuccess = () => resolve(opening.result)
      opening.onerror = () => reject(opening.error ?? new Error('IndexedDB does not open'))
    })
    const start = performance.now()
    const { documents } = (await (await fetch(`/kept?name=${count}`)).json()) as { documents: { key: string }[] }
    await new Promise<void>((resolve, reject) => {
      const writing = database.transaction('docs', 'readwrite', { durability: 'relaxed' })
      const store = writing.objectStore('docs')
      for (const document of documents) store.put({ ...document, _deleted: '0' })
      writing.oncomplete = () => resolve()
      writing.onerror = () => reject(writing.error ?? new Error('IndexedDB does not write'))
    })
    return performance.now() - start
  }, count)
  await context.close()
  return ms
}
