import type { Browser, Page } from 'playwright/test'
import { atMost, median, ms, p95, type Figure } from '../../sync-server/bench/figures.ts'
import type { Organizer, Stage } from '../../sync-server/bench/stage.ts'
import { readyForOffline } from '../e2e/journey.ts'
import { openDevice, openManage } from './browser.ts'
import { queueApprovals, requireEachApprovedOnce } from './queue.ts'

const applications = 10_000
const decisions = 2_000
/** As fast as anyone decides, once they have seen what the tap before did. */
const tapEveryMs = 200
/** A tap shows within this time, or it feels broken. */
const tapLimitMs = 100
const drainLimitMs = 20_000

/** What one drain looked like from the page; milliseconds throughout. */
interface Drained {
  readonly drainMs: number
  /** Each tap's time to its first paint, from the moment it was due. */
  readonly taps: readonly number[]
  readonly longestFrame: number
  readonly longestTask: number
  readonly blocked: number
}

/**
 * An organizer with 10,000 applications made 2,000 decisions without a network, opened the app again, and the network comes
 * back while they go on deciding: until the last of the 2,000 is settled, and how long a tap takes to show meanwhile, from
 * the moment at which the finger came down, whether or not the page was free to notice. The floor of the taps: the same taps
 * before the network came back.
 */
export async function benchDrain(browser: Browser, stage: Stage, runs: number): Promise<Figure[]> {
  const drains: number[] = []
  const taps: number[] = []
  const offlineTaps: number[] = []
  for (let run = 0; run < runs; run += 1) {
    const organizer = await stage.addOrganizer(applications)
    const { context, page } = await openDevice(browser, stage.server.origin, await stage.signIn(organizer.userId))
    await openManage(page, organizer.eventId)
    await readyForOffline(page)
    await page.getByRole('button', { name: `All ${applications}` }).waitFor()
    // What the page fetches ahead after its first visit is no part of the drain.
    await page.waitForTimeout(2000)
    await context.setOffline(true)
    // The first ones, so that the rest stays on top of the list, waiting to be tapped.
    const queued: Organizer = { ...organizer, applicationIds: organizer.applicationIds.slice(0, decisions) }
    await queueApprovals(page, queued)
    await page.reload()
    await page.getByText(`${decisions} saved on this device`).first().waitFor({ state: 'attached' })
    await page.locator('[data-row]').first().waitFor()

    await preparePage(page)
    offlineTaps.push(...(await tapWhile(page, 15)).taps)
    const calls = new Map<string, number>()
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (pathname.startsWith('/api/')) calls.set(pathname, (calls.get(pathname) ?? 0) + 1)
    })
    const draining = tapWhile(page, undefined)
    await context.setOffline(false)
    const seen = await draining
    drains.push(seen.drainMs)
    taps.push(...seen.taps)
    await page.getByText('All saved').first().waitFor({ state: 'attached', timeout: 60_000 })
    await requireEachApprovedOnce(stage.db, queued)
    const asked = [...calls].map(([path, count]) => `${path} ${count}`).join(', ')
    console.log(
      `drain ${run + 1}: settled after ${ms(seen.drainMs)}; ${seen.taps.length} taps, median ${ms(median(seen.taps))}, p95 ${ms(p95(seen.taps))}; longest time without a frame ${ms(seen.longestFrame)}, longest task ${ms(seen.longestTask)}, ${ms(seen.blocked)} blocked; ${asked}`,
    )
    await context.close()
  }
  const name = `${decisions} queued decisions among ${applications} applications`
  return [
    atMost(`${name}: network back → all settled`, median(drains), drainLimitMs),
    atMost(`${name}: tap → painted meanwhile, p95 (floor: without a network)`, p95(taps), tapLimitMs, p95(offlineTaps)),
  ]
}

/** Leaves two functions on the page: one taps Approve in a row and tells when the paint with it is over, one tells whether a row is left. */
async function preparePage(page: Page): Promise<void> {
  await page.evaluate(() => {
    const approve = (row: Element) => row.querySelector<HTMLElement>('button[aria-label^="Approve"]')
    const undecided = () => [...document.querySelectorAll<HTMLElement>('[data-row]')].find(approve)
    const untilPainted = () =>
      new Promise<number>((resolve) =>
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel()
          port1.onmessage = () => resolve(performance.now())
          port2.postMessage(null)
        }),
      )
    const tapNext = async (): Promise<number> => {
      const id = undecided()?.dataset['row'] ?? ''
      const row = () => document.querySelector<HTMLElement>(`[data-row="${id}"]`)
      const button = approve(row() ?? document.body)
      if (!button) throw new Error(`Application ${id} cannot be approved`)
      await new Promise<void>((resolve) => {
        const observer = new MutationObserver(() => {
          if (!row()?.textContent?.includes('Approved')) return
          observer.disconnect()
          resolve()
        })
        observer.observe(document.body, { childList: true, subtree: true, characterData: true })
        button.click()
      })
      const paintedAt = await untilPainted()
      // The next ones come near the window.
      row()?.scrollIntoView({ block: 'start' })
      return paintedAt
    }
    Object.assign(window, { tapNext, rowsLeft: () => (undecided() ? 1 : 0) })
  })
}

/** Taps at a steady pace, so many times, or until the queue's 2,000 are settled after the network came back. */
async function tapWhile(page: Page, times: number | undefined): Promise<Drained> {
  return await page.evaluate(
    async ({ times, tapEveryMs, decisions }) => {
      const { tapNext, rowsLeft } = window as unknown as { tapNext: () => Promise<number>; rowsLeft: () => number }
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const opening = indexedDB.open('beaconry-outbox')
        opening.onsuccess = () => resolve(opening.result)
        opening.onerror = () => reject(opening.error ?? new Error('IndexedDB does not open'))
      })
      // The entries that were there before the first tap; taps come behind them.
      const left = () =>
        new Promise<number>((resolve, reject) => {
          const counting = database
            .transaction('entries')
            .objectStore('entries')
            .count(IDBKeyRange.upperBound(decisions))
          counting.onsuccess = () => resolve(counting.result)
          counting.onerror = () => reject(counting.error ?? new Error('IndexedDB does not count'))
        })
      if (times === undefined && !navigator.onLine)
        await new Promise<void>((resolve) => addEventListener('online', () => resolve(), { once: true }))
      const start = performance.now()
      let isOver = false
      let longestFrame = 0
      let frameAt = start
      const frame = () => {
        const now = performance.now()
        longestFrame = Math.max(longestFrame, now - frameAt)
        frameAt = now
        if (!isOver) requestAnimationFrame(frame)
      }
      requestAnimationFrame(frame)
      const tasks: number[] = []
      const observer = new PerformanceObserver((list) =>
        tasks.push(...list.getEntries().map(({ duration }) => duration)),
      )
      observer.observe({ type: 'longtask' })
      const taps: number[] = []
      const tapping = (async () => {
        for (let tap = 1; !isOver && rowsLeft() > 0 && (times === undefined || tap <= times); tap += 1) {
          const dueAt = performance.now() + tapEveryMs
          await new Promise((resolve) => setTimeout(resolve, tapEveryMs))
          if (!isOver) taps.push((await tapNext()) - dueAt)
        }
      })()
      if (times === undefined) while ((await left()) > 0) await new Promise((resolve) => setTimeout(resolve, 100))
      else await tapping
      const drainMs = performance.now() - start
      isOver = true
      await tapping
      observer.disconnect()
      database.close()
      const blocked = tasks.reduce((sum, duration) => sum + duration - 50, 0)
      return { drainMs, taps, longestFrame, longestTask: Math.max(0, ...tasks), blocked }
    },
    { times, tapEveryMs, decisions },
  )
}
