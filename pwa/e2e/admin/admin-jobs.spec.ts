import { ada, expect, signIn, test } from '../journey.ts'
import { busiestEvent } from '../applications/applicants.ts'

test('a job that gave up runs again when asked, or is put aside for good @nightly', async ({ device, db }) => {
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
      lastError: 'the push service answered 503',
    })),
  )
  const { page } = await device({ serviceWorkers: 'block' })
  await signIn(page, ada)
  await page.goto('/admin')
  await page.getByRole('tab', { name: 'Failed jobs 3' }).click()
  const table = page.getByRole('table', { name: 'The newest failed jobs' })
  const rows = table.locator('[data-row]')
  await expect(rows).toHaveCount(3)
  await expect(rows.first()).toContainText(`event ${eventId}`)

  await rows
    .first()
    .getByRole('button', { name: /^Retry/ })
    .click()
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
