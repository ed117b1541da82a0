import type { Page } from 'playwright/test'
import {
  button,
  card,
  decide,
  expectConfirmed,
  expectDecidedOnce,
  manageBusiest,
  openManage,
} from '../applications/applicants.ts'
import { queueRows } from '../device-database.ts'
import { expect, olivia, signIn } from '../journey.ts'
import { isBatch, report, since, test } from './road-journey.ts'

const notice = 'This device has no room left. What it said was saved is kept'

/** Writes something small. Returns how that ended: `written`, or the name of the error. */
async function writeSomething(page: Page): Promise<string> {
  return await page.evaluate(async () => {
    const opening = indexedDB.open('room')
    opening.onupgradeneeded = () => opening.result.createObjectStore('things')
    const isOpen = await new Promise<boolean>((resolve) => {
      opening.onsuccess = () => resolve(true)
      opening.onerror = () => resolve(false)
    })
    if (!isOpen) return opening.error?.name ?? 'refused'
    const transaction = opening.result.transaction('things', 'readwrite')
    transaction.objectStore('things').put('x', 'x')
    const end = await new Promise<string>((resolve) => {
      transaction.oncomplete = () => resolve('written')
      transaction.onabort = () => resolve(transaction.error?.name ?? 'aborted')
    })
    opening.result.close()
    return end
  })
}

test('a phone without room says so, keeps all, and goes on later @nightly', async ({ phone, road, db, device }) => {
  const { eventId, pending } = await manageBusiest(phone, db)
  const [ana, ben, cleo] = pending
  await writeSomething(phone)
  road.treat((call) => (isBatch(call) ? 'reset' : 'pass'))
  await decide(phone, ana, 'Approve')
  const disk = await phone.context().newCDPSession(phone)
  await disk.send('Storage.overrideQuotaForOrigin', { origin: road.origin, quotaSize: 1 })
  // The browser believes for up to 30 s what it last knew of the room there is.
  await expect.poll(() => writeSomething(phone)).toBe('QuotaExceededError')

  await button(phone, ben, 'Approve').click()
  await expect(phone.getByText(notice)).toBeVisible()
  await expect(card(phone, ben), 'nothing looks saved that is not').toContainText('not saved yet')
  road.treat(() => 'pass')
  const { page: tablet } = await device({ viewport: { width: 1280, height: 800 } })
  await signIn(tablet, olivia)
  await openManage(tablet, eventId, cleo)
  await decide(tablet, cleo, 'Reject')
  await expectDecidedOnce(db, cleo, 'rejected')
  await expect(phone.getByText(notice)).toBeVisible()
  const at = performance.now()
  await phone.waitForTimeout(20_000)
  report('no room on the phone, calls in 20 s of doing nothing', since(road, at).length, 6)

  await phone.reload()
  await expect(card(phone, ana)).toContainText('Approved')
  await expect(card(phone, ana)).toContainText('saved on this device')
  await expect(card(phone, ben), 'a reload does not lose it').toContainText('not saved yet')
  expect(await queueRows(phone)).toHaveLength(1)
  await expect(phone.getByText(notice)).toBeVisible()

  const roomAt = performance.now()
  await disk.send('Storage.overrideQuotaForOrigin', { origin: road.origin })
  for (const one of [ana, ben]) await expectDecidedOnce(db, one, 'approved')
  await expect(card(phone, cleo)).toContainText('Rejected')
  await expectConfirmed(phone, ana)
  await expect(phone.getByText(notice)).toHaveCount(0)
  expect(await queueRows(phone)).toHaveLength(0)
  report('room again, calls until all is equal', since(road, roomAt).length, 20)
})
