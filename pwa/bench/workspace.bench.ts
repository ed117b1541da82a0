import type { Browser, Locator, Page } from 'playwright/test'
import { atMost, median, p95, timesTheFloor, type Figure } from '../../sync-server/bench/figures.ts'
import type { Stage } from '../../sync-server/bench/stage.ts'
import { readyForOffline } from '../e2e/journey.ts'
import { openCrowdOffline, openDevice } from './browser.ts'
import { plainWrites, prepareTaps, tapWhile } from './taps.ts'

/** The screen of an event with so many applications, without a network: taps, scrolling, and what the page holds. */
export async function benchWorkspace(
  browser: Browser,
  stage: Stage,
  applications: number,
  tapLimitMs: number,
): Promise<Figure[]> {
  const { context, page } = await openCrowdOffline(browser, stage, applications)
  await prepareTaps(page)
  const { taps, onDisk } = await tapWhile(page, { times: 40 })
  const plain = await plainWrites(page, 40)
  const longestTask = await longestTaskWhileScrolled(page)
  const name = `${applications} applications`
  const figures = [
    atMost(`${name}: tap → painted, median`, median(taps), tapLimitMs),
    atMost(`${name}: tap → painted, p95`, p95(taps), tapLimitMs),
    timesTheFloor(`${name}: tap → on disk (floor: a plain strict transaction)`, onDisk, plain, 3),
    atMost(`${name}: longest task while scrolled`, longestTask, 50),
    heapFigure(name, await heapMegabytes(page), 40),
  ]
  await context.close()
  return figures
}

const manyEvents = 500
const manyApplications = 20_000
/** How much slower than this machine's browser a phone is taken to be, as Lighthouse takes it. */
const phoneSlowdown = 4

/** An account with 500 events and 20,000 applications on a phone without a network: it opens, is searched and decides. */
export async function benchManyEvents(browser: Browser, stage: Stage, runs: number): Promise<Figure[]> {
  const organizer = await stage.addOrganizer(manyApplications, manyEvents)
  const { context, page } = await openDevice(browser, stage.server.origin, await stage.signIn(organizer.userId))
  await page.goto('/dashboard')
  const card = page.getByRole('link', { name: /^Manage Event: / }).first()
  await card.waitFor()
  await readyForOffline(page)
  await page.waitForTimeout(2000)
  await context.setOffline(true)
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: phoneSlowdown })
  const opened = async (path: string, first: Locator) => {
    const seen: number[] = []
    for (let run = 0; run < runs; run += 1) {
      await page.goto(path)
      await first.waitFor()
      seen.push(await page.evaluate(() => performance.now()))
    }
    return median(seen)
  }
  const dashboard = await opened('/dashboard', card)
  const searched = await searchUntilPainted(page)
  const manage = await opened(`/events/manage/${organizer.eventId}`, page.locator('[data-row]').first())
  const inbox = await opened('/inbox', page.locator('[data-row]').first())
  await prepareTaps(page)
  const { taps } = await tapWhile(page, { times: 20 })
  const longestTask = await longestTaskWhileScrolled(page)
  const name = `A phone with ${manyEvents} events and ${manyApplications} applications`
  const figures = [
    atMost(`${name}: the dashboard opens`, dashboard, 2000),
    atMost(`${name}: a letter typed in its search → painted, p95`, p95(searched), 100),
    atMost(`${name}: an event's applicants open`, manage, 2000),
    atMost(`${name}: the inbox opens`, inbox, 2000),
    atMost(`${name}: tap in the inbox → painted, p95`, p95(taps), 100),
    atMost(`${name}: longest task while the inbox is scrolled`, longestTask, 200),
    heapFigure(name, await heapMegabytes(page), 80),
  ]
  await context.close()
  return figures
}

function heapFigure(name: string, megabytes: number, limit: number): Figure {
  return {
    name: `${name}: the page's JavaScript heap`,
    seen: `${megabytes.toFixed(1)} MB`,
    floor: '',
    ratio: '',
    target: `≤ ${limit} MB`,
    isReached: megabytes <= limit,
  }
}

/** Types letter by letter. @returns each letter's milliseconds until its list is painted */
async function searchUntilPainted(page: Page): Promise<number[]> {
  const field = page.getByRole('searchbox').first()
  await field.focus()
  const seen: number[] = []
  for (const letter of 'day 49') {
    await page.evaluate(() => {
      addEventListener(
        'input',
        ({ timeStamp }) =>
          requestAnimationFrame(() =>
            setTimeout(() => Object.assign(window, { letterMs: performance.now() - timeStamp })),
          ),
        { capture: true, once: true },
      )
      Object.assign(window, { letterMs: 0 })
    })
    await page.keyboard.type(letter)
    await page.waitForFunction(() => Reflect.get(window, 'letterMs') > 0)
    seen.push(await page.evaluate(() => Reflect.get(window, 'letterMs') as number))
  }
  return seen
}

/** Two hundred turns of a wheel, a frame each. @returns milliseconds; tasks under 50 ms are not reported: 0 */
async function longestTaskWhileScrolled(page: Page): Promise<number> {
  return await page.evaluate(async () => {
    scrollTo(0, 0)
    await new Promise((resolve) => setTimeout(resolve, 500))
    let longest = 0
    const observer = new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) longest = Math.max(longest, duration)
    })
    observer.observe({ type: 'longtask' })
    for (let turn = 0; turn < 200; turn += 1) {
      scrollBy(0, 240)
      await new Promise((resolve) => requestAnimationFrame(resolve))
    }
    await new Promise((resolve) => setTimeout(resolve, 200))
    observer.disconnect()
    return longest
  })
}

async function heapMegabytes(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  await session.send('Performance.enable')
  const { metrics } = await session.send('Performance.getMetrics')
  const bytes = metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value
  if (bytes === undefined) throw new Error('Chromium does not say how large the heap is')
  return bytes / 2 ** 20
}
