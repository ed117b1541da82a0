import type { Browser } from 'playwright/test'
import { timesTheFloor, type Figure } from '../../sync-server/bench/figures.ts'
import type { Stage } from '../../sync-server/bench/stage.ts'
import { readyForOffline } from '../e2e/journey.ts'
import { openDevice, openManage } from './browser.ts'

/**
 * The page of an event with so many applications opened again while the server is dead: from the navigation to its rows. The
 * floor: the same page's scripts loaded by the same worker, the pages of documents read raw, and the same rows as plain HTML.
 */
export async function benchOfflineReload(
  browser: Browser,
  stage: Stage,
  applications: number,
  runs: number,
): Promise<Figure> {
  const organizer = await stage.addOrganizer(applications)
  const { context, page } = await openDevice(browser, stage.server.origin, await stage.signIn(organizer.userId))
  await openManage(page, organizer.eventId)
  await readyForOffline(page)
  await stage.server.kill()
  await page.addInitScript(() => {
    const look = () => {
      if (!document.querySelector('[data-row]')) return
      Object.assign(window, { shownAt: performance.now() })
      observer.disconnect()
    }
    const observer = new MutationObserver(look)
    observer.observe(document, { childList: true, subtree: true })
  })
  const seen: number[] = []
  const floor: number[] = []
  for (let run = 0; run < runs; run += 1) {
    await page.reload()
    await page.waitForFunction(() => 'shownAt' in window)
    seen.push(await page.evaluate(() => (window as unknown as { shownAt: number }).shownAt))
    floor.push(await page.evaluate(readRaw))
  }
  await context.close()
  await stage.server.start()
  return timesTheFloor(`Offline reload to a list of ${applications} applications`, seen, floor, 1.5)
}

/** Milliseconds that cannot be saved: scripts in, documents out of IndexedDB, rows into the page. */
async function readRaw(): Promise<number> {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  const scripts = navigation?.domContentLoadedEventEnd ?? 0
  const databases = await indexedDB.databases()
  const html = document.querySelector('[data-row]')?.parentElement?.innerHTML ?? ''
  const start = performance.now()
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const opening = indexedDB.open(databases.find(({ name }) => name?.endsWith('--pages'))?.name ?? '')
    opening.onsuccess = () => resolve(opening.result)
    opening.onerror = () => reject(opening.error ?? new Error('IndexedDB does not open'))
  })
  await new Promise<void>((resolve) => {
    const reading = database.transaction('pages').objectStore('pages').getAll()
    reading.onsuccess = () => resolve()
  })
  database.close()
  const list = document.createElement('ul')
  list.innerHTML = html
  document.body.append(list)
  list.getBoundingClientRect()
  const ms = performance.now() - start
  list.remove()
  return scripts + ms
}
