import type { Browser } from 'playwright/test'
import { atMost, median, ms, p95, type Figure } from '../../sync-server/bench/figures.ts'
import type { Organizer, Stage } from '../../sync-server/bench/stage.ts'
import { openCrowdOffline } from './browser.ts'
import { queueApprovals, requireEachApprovedOnce } from './queue.ts'
import { prepareTaps, tapWhile } from './taps.ts'

const applications = 10_000
const decisions = 2_000
/** A tap shows within this time, or it feels broken. */
const tapLimitMs = 100
const drainLimitMs = 20_000

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
    const { organizer, context, page } = await openCrowdOffline(browser, stage, applications)
    // The first ones, so that the rest stays on top of the list, waiting to be tapped.
    const queued: Organizer = { ...organizer, applicationIds: organizer.applicationIds.slice(0, decisions) }
    await queueApprovals(page, queued)
    await page.reload()
    await page.getByText(`${decisions} saved on this device`).first().waitFor({ state: 'attached' })
    await page.locator('[data-row]').first().waitFor()

    await prepareTaps(page)
    offlineTaps.push(...(await tapWhile(page, { times: 15 })).taps)
    const calls = new Map<string, number>()
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (pathname.startsWith('/api/')) calls.set(pathname, (calls.get(pathname) ?? 0) + 1)
    })
    const draining = tapWhile(page, { untilSettled: decisions })
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
