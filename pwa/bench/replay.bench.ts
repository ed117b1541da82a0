import type { Browser, Page } from 'playwright/test'
import { startDelayingProxy } from '../../sync-server/bench/delaying-proxy.ts'
import { atMost, median, type Figure } from '../../sync-server/bench/figures.ts'
import { approvalBatches } from '../../sync-server/bench/replay.bench.ts'
import type { Organizer, Stage } from '../../sync-server/bench/stage.ts'
import { readyForOffline } from '../e2e/journey.ts'
import { openContext, openDevice, openManage } from './browser.ts'
import { queueApprovals, requireEachApprovedOnce } from './queue.ts'

const decisions = 500

/**
 * 500 queued decisions from the moment there is a network to the moment each is acknowledged in the phone's own
 * database. The floor: the same requests from the same browser to a server that only sends them back.
 */
export async function benchReplay(
  browser: Browser,
  stage: Stage,
  rawPort: number,
  { roundTripMs, limitMs, runs }: { roundTripMs: number; limitMs: number; runs: number },
): Promise<Figure> {
  const delayed =
    roundTripMs > 0
      ? [await startDelayingProxy(stage.server.port, roundTripMs), await startDelayingProxy(rawPort, roundTripMs)]
      : []
  const origin = delayed[0]?.origin ?? stage.server.origin
  const rawOrigin = delayed[1]?.origin ?? `http://localhost:${rawPort}`
  const seen: number[] = []
  const floor: number[] = []
  try {
    for (let run = 0; run < runs; run += 1) {
      const organizer = await stage.addOrganizer(decisions)
      floor.push(await transportAlone(browser, rawOrigin, organizer))
      const { context, page } = await openDevice(browser, origin, await stage.signIn(organizer.userId))
      await openManage(page, organizer.eventId)
      await readyForOffline(page)
      // What the page fetches ahead after its first visit is no part of the replay.
      await page.waitForTimeout(2000)
      seen.push(await drain(page, organizer))
      await context.close()
      await requireEachApprovedOnce(stage.db, organizer)
    }
  } finally {
    for (const proxy of delayed) await proxy.close()
  }
  return atMost(
    `Replay of ${decisions} decisions, ${roundTripMs} ms round trip (floor: the requests alone)`,
    median(seen),
    limitMs,
    median(floor),
  )
}

/** Queues the decisions, tells the page that it is online, and waits until none is left to send. */
async function drain(page: Page, organizer: Organizer): Promise<number> {
  await queueApprovals(page, organizer)
  return await page.evaluate(async (userId) => {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open('beaconry-outbox')
      opening.onsuccess = () => resolve(opening.result)
      opening.onerror = () => reject(opening.error ?? new Error('IndexedDB does not open'))
    })
    const waiting = async (): Promise<number> => {
      const index = database.transaction('entries').objectStore('entries').index('[owner+state]')
      const counts = ['queued', 'sending', 'parked', 'needsAuth'].map(
        (state) =>
          new Promise<number>((resolve) => {
            const counting = index.count([userId, state])
            counting.onsuccess = () => resolve(counting.result)
          }),
      )
      return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
    }
    const start = performance.now()
    dispatchEvent(new Event('online'))
    while ((await waiting()) > 0) await new Promise((resolve) => setTimeout(resolve, 5))
    const ms = performance.now() - start
    database.close()
    return ms
  }, organizer.userId)
}

async function transportAlone(browser: Browser, rawOrigin: string, organizer: Organizer): Promise<number> {
  const context = await openContext(browser)
  const page = await context.newPage()
  await page.goto(rawOrigin)
  const ms = await page.evaluate(async (bodies) => {
    const start = performance.now()
    for (const body of bodies) await (await fetch('/lines', { method: 'POST', body })).text()
    return performance.now() - start
  }, approvalBatches(organizer))
  await context.close()
  return ms
}
