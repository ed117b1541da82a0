import type { Locator, Page } from 'playwright/test'
import { ada, expect, olivia, signIn, test } from '../journey.ts'
import { parkAnApproval } from '../screens.ts'
import { busiestEvent } from '../applications/applicants.ts'

/** Opens one part of the admin's page. */
async function openPart(page: Page, name: RegExp): Promise<Locator> {
  await page.goto('/admin')
  await page.getByRole('tab', { name }).click()
  return page.getByRole('tabpanel', { name })
}

test('a job that gave up is shown without whom it is about, and runs again when asked', async ({ device, db }) => {
  const { eventId } = await busiestEvent(db)
  // As a server leaves behind that could not reach a push service for hours.
  await db('jobs').insert(
    ['a', 'b', 'c'].map((key) => ({
      kind: 'send-push',
      key: `e2e-${key}`,
      payload: JSON.stringify({ eventId, subscriptionId: 1, applicationIds: [] }),
      state: 'dead',
      attempts: 6,
      maxAttempts: 6,
      lastError: 'the push service answered 503 to bea@example.com',
    })),
  )
  const { page } = await device({ serviceWorkers: 'block' })
  await signIn(page, ada)
  const jobs = await openPart(page, /Failed jobs/)
  await expect(page.getByRole('tab', { name: 'Failed jobs 3' })).toBeVisible()
  const rows = jobs.getByRole('list', { name: 'Send an alert' }).getByRole('listitem')
  await expect(rows).toHaveCount(3)
  await expect(rows.first()).toContainText(`Event ${eventId}`)
  await expect(rows.first()).toContainText('The push service answered 503 to …')
  await expect(jobs).not.toContainText('bea@example.com')

  await rows
    .first()
    .getByRole('button', { name: /^Retry/ })
    .click()
  await expect(page.getByText('Running again', { exact: true })).toBeVisible()
  await expect(rows).toHaveCount(2)
  // Its subscription is long gone: there is nothing more to send, and that is the end of it.
  await expect
    .poll(async () => await db('jobs').where({ state: 'done' }).whereLike('key', 'e2e-%').select())
    .toHaveLength(1)

  await rows
    .first()
    .getByRole('button', { name: /^Discard/ })
    .click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click()
  await expect(rows).toHaveCount(1)
  expect(await db('jobs').where({ state: 'cancelled' }).whereLike('key', 'e2e-%').select()).toHaveLength(1)
})

test('a refused change is listed without contents, and its owner told to retry @nightly', async ({ device, db }) => {
  const { eventId, pending } = await busiestEvent(db)
  const phone = await device()
  const { page } = phone
  await parkAnApproval(phone, eventId)
  await expect(page.getByText('Worth another try')).toHaveCount(0)

  const admin = await device({ viewport: { width: 1280, height: 800 } })
  await signIn(admin.page, ada)
  const refused = await openPart(admin.page, /Refused changes/)
  const row = refused.getByRole('listitem').filter({ hasText: 'Approve, reject or revoke' })
  await expect(row).toContainText(olivia.username)
  await expect(row).toContainText('What it was about is gone')
  for (const { name } of pending) await expect(refused).not.toContainText(name)
  await row.getByRole('button', { name: /^Suggest a retry/ }).click()
  await expect(row).toContainText('Owner told')

  await page.goto('/sync')
  const parked = page.getByRole('list', { name: 'Needs attention' }).getByRole('listitem').first()
  await expect(parked).toContainText('Worth another try')
  await parked.getByRole('button', { name: /^Retry/ }).click()
  await expect(parked).not.toContainText('Worth another try')
  // Refused once more: that advice was of no use, and the admin sees it.
  await expect(parked).toContainText('Retry')
  await admin.page.reload()
  await admin.page.getByRole('tab', { name: /Refused changes/ }).click()
  await expect(row).toContainText('2 times')
  await row.getByRole('button', { name: /^Put aside/ }).click()
  await expect(admin.page.getByText('Nothing was refused lately')).toBeVisible()
})
