import { randomUUID } from 'node:crypto'
import type { Browser, Page } from 'playwright/test'
import { headers } from '#shared/contract/request.ts'
import { atMost, median, p95, type Figure } from '../../sync-server/bench/figures.ts'
import type { Stage } from '../../sync-server/bench/stage.ts'
import { readyForOffline } from '../e2e/journey.ts'
import { openDevice, openManage } from './browser.ts'

/** Two figures of one screen: what another device committed until it is shown here, and what was tapped here. */
export async function benchLive(browser: Browser, stage: Stage, samples: number): Promise<Figure[]> {
  const organizer = await stage.addOrganizer(80)
  const cookie = await stage.signIn(organizer.userId)
  const { context, page } = await openDevice(browser, stage.server.origin, cookie)
  const streaming = page.waitForResponse((answer) => answer.url().endsWith('/api/sync/stream'))
  await openManage(page, organizer.eventId)
  await readyForOffline(page)
  await page.locator('[data-row]').nth(79).waitFor()
  await streaming

  const ids = [...organizer.applicationIds]
  const live: number[] = []
  for (let sample = 0; sample < samples; sample += 1)
    live.push(await commitUntilShown(page, stage, cookie, ids.shift() ?? 0))
  const local: number[] = []
  for (let sample = 0; sample < samples; sample += 1) local.push(await tapUntilShown(page, ids.shift() ?? 0))
  await context.close()
  return [
    atMost('Live: commit → shown on another device, median', median(live.slice(5)), 16),
    atMost('Live: commit → shown on another device, p95', p95(live.slice(5)), 16),
    atMost('Local: tap → shown as saved on this device, median', median(local.slice(5)), 9),
    atMost('Local: tap → shown as saved on this device, p95', p95(local.slice(5)), 9),
  ]
}

/** A decision of another device: from its answer, which follows the commit at once, to the changed row. */
async function commitUntilShown(page: Page, stage: Stage, cookie: string, id: number): Promise<number> {
  await page.evaluate((id) => {
    const row = document.querySelector(`[data-row="${id}"]`)
    if (!row) throw new Error(`Application ${id} is not on the screen`)
    const observer = new MutationObserver(() => {
      if (!document.querySelector(`[data-row="${id}"]`)?.textContent?.includes('Approved')) return
      observer.disconnect()
      Object.assign(window, { shownAt: performance.timeOrigin + performance.now() })
    })
    Object.assign(window, { shownAt: 0 })
    observer.observe(document.body, { childList: true, subtree: true, characterData: true })
  }, id)
  const answer = await fetch(`${stage.server.origin}/api/beacons/${id}/status`, {
    method: 'PATCH',
    headers: {
      'Content-Type': 'application/json',
      'Sec-Fetch-Site': 'same-origin',
      cookie: `sid=${cookie}`,
      [headers.deviceId]: 'other-device',
      [headers.idempotencyKey]: randomUUID(),
    },
    body: JSON.stringify({ status: 'approved' }),
  })
  const committedAt = performance.timeOrigin + performance.now()
  await answer.arrayBuffer()
  if (!answer.ok) throw new Error(`the decision was answered ${answer.status}`)
  await page.waitForFunction(() => (window as unknown as { shownAt: number }).shownAt > 0)
  // Shown before the other device has its answer is as fast as it gets.
  return Math.max(0, (await page.evaluate(() => (window as unknown as { shownAt: number }).shownAt)) - committedAt)
}

/** A tap on Approve: until the row says so and that it is saved, which it may only say when it is on disk. */
async function tapUntilShown(page: Page, id: number): Promise<number> {
  return await page.evaluate(
    (id) =>
      new Promise<number>((resolve, reject) => {
        const row = () => document.querySelector<HTMLElement>(`[data-row="${id}"]`)
        const button = [...(row()?.querySelectorAll('button') ?? [])].find((candidate) =>
          candidate.getAttribute('aria-label')?.startsWith('Approve'),
        )
        if (!button) {
          reject(new Error(`Application ${id} cannot be approved`))
          return
        }
        const start = performance.now()
        const observer = new MutationObserver(() => {
          if (!row()?.textContent?.includes('saved on this device')) return
          observer.disconnect()
          resolve(performance.now() - start)
        })
        observer.observe(document.body, { childList: true, subtree: true, characterData: true })
        button.click()
      }),
    id,
  )
}
