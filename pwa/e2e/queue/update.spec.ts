import type { Page } from 'playwright/test'
import {
  card,
  decide,
  endUndoWindow,
  expectConfirmed,
  expectDecidedOnce,
  manageBusiest,
  openManage,
} from '../applications/applicants.ts'
import { queueRows } from '../device-database.ts'
import { fetchUpdate, test, versionOf } from './deployment.ts'
import { expect, olivia, signIn } from '../journey.ts'
import { isBatch, report, since } from './road-journey.ts'

async function goTo(page: Page, screen: 'Events' | 'Dashboard'): Promise<void> {
  await page.getByRole('button', { name: 'Open menu' }).click()
  await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: screen }).click()
}

/**
 * Goes to other screens: a new version is offered on arrival, never in the middle of one. The page hears of it a moment
 * after the browser has it.
 */
async function goUntilOffered(page: Page): Promise<void> {
  const line = page.getByText('A new version of Beaconry is ready. What you typed is kept.')
  await expect(async () => {
    await goTo(page, 'Events')
    if (!(await line.isVisible())) await goTo(page, 'Dashboard')
    await expect(line).toBeVisible({ timeout: 500 })
  }).toPass()
}

test('a new version waits until accepted, then every tab has it and what was typed', async ({ device, deployment }) => {
  const { context, page } = await device({ baseURL: deployment.origin })
  await signIn(page, olivia)
  const form = await context.newPage()
  await form.goto('/events/create')
  await form.getByLabel('Event Name').fill('A party nobody has heard of')

  deployment.deploy()
  await page.bringToFront()
  await fetchUpdate(page)
  await goUntilOffered(page)
  expect([await versionOf(page), await versionOf(form)], 'nothing changes by itself').toEqual(['1', '1'])

  await form.getByLabel('Description').fill('It is a secret.')
  await page.getByRole('button', { name: 'Update', exact: true }).click()
  await expect.poll(() => versionOf(page).catch(() => 'moving')).toBe('2')
  await expect.poll(() => versionOf(form).catch(() => 'moving')).toBe('2')
  await expect(form.getByLabel('Event Name')).toHaveValue('A party nobody has heard of')
  await expect(form.getByLabel('Description')).toHaveValue('It is a secret.')
  await expect(page.getByText('A new version of Beaconry is ready.')).toBeHidden()
})

test('an update amid a queue loses and repeats nothing @nightly', async ({ phone, road, deployment, db }) => {
  const { eventId, pending } = await manageBusiest(phone, db)
  const [ana, ben, cleo] = pending
  // Ana's approval is done and its answer lost, Ben's never gets through, and Cleo's may still be undone.
  road.treat((call) => (isBatch(call) ? 'drop-answer' : 'pass'))
  await decide(phone, ana, 'Approve')
  await endUndoWindow(phone)
  await expectDecidedOnce(db, ana, 'approved')
  road.treat((call) => (isBatch(call) ? 'reset' : 'pass'))
  await decide(phone, ben, 'Reject')
  await endUndoWindow(phone)
  const at = performance.now()
  const attemptsOf = async () => (await queueRows(phone)).map(({ attempts }) => Number(attempts) > 0)
  await expect.poll(attemptsOf).toEqual([true, true])
  deployment.deploy()
  await fetchUpdate(phone)
  await decide(phone, cleo, 'Approve')
  report('before an update, batches that were cut', since(road, at, isBatch).length, 20)

  const updatedAt = performance.now()
  await goUntilOffered(phone)
  await phone.getByRole('button', { name: 'Update', exact: true }).click()
  // The browser puts the new worker in charge once the old one has ended what it is sending.
  await expect.poll(() => versionOf(phone).catch(() => 'moving')).toBe('2')
  await openManage(phone, eventId, ana)
  await expect(card(phone, ana)).toContainText('Approved')
  await expect(card(phone, ben)).toContainText('Rejected')
  await expect(card(phone, cleo)).toContainText('Approved')
  expect(await queueRows(phone), 'the new version has the whole queue').toHaveLength(3)
  report('while it is updated, batches that were cut', since(road, updatedAt, isBatch).length, 20)
  const freeAt = performance.now()
  road.treat(() => 'pass')
  await endUndoWindow(phone)
  await expectDecidedOnce(db, ben, 'rejected')
  await expectDecidedOnce(db, cleo, 'approved')
  await expectDecidedOnce(db, ana, 'approved')
  await expect.poll(async () => (await queueRows(phone)).length).toBe(0)
  await expectConfirmed(phone, cleo)
  const keysSent = since(road, 0, isBatch).flatMap(({ body }) =>
    (JSON.parse(body) as { entries: { key: string }[] }).entries.map(({ key }) => key),
  )
  expect(new Set(keysSent).size, 'each under one key, however often').toBe(3)
  report('an update with three changes in the queue, batches', since(road, freeAt, isBatch).length, 6)
  report('an update with three changes in the queue, calls until all is equal', since(road, freeAt).length, 30)
})

test('a page whose pieces are gone reloads once, then says what is the matter', async ({ device, deployment }) => {
  const { page } = await device({ baseURL: deployment.origin, serviceWorkers: 'block' })
  let loads = 0
  page.on('request', (asked) => {
    if (asked.isNavigationRequest()) loads += 1
  })
  await page.goto('/')
  await page.getByRole('button', { name: 'Open menu' }).waitFor()
  deployment.remove(/\/assets\/(events|events-screen)-[^/]*\.js/)
  await goTo(page, 'Events')
  await expect.poll(() => loads).toBe(2)
  await expect(page.getByRole('heading', { name: 'This page is not on this device yet' })).toBeVisible()
  expect(loads).toBe(2)
})
