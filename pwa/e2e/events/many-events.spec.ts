import { expect, test } from '../journey.ts'
import { openEvent } from '../applications/application-form.ts'
import { copyEvent } from './copied-events.ts'

test.use({ serviceWorkers: 'block' })

test('of more events than a device holds the page counts no less, and the search finds the last @nightly', async ({
  device,
  db,
}) => {
  const { id } = await openEvent(db)
  await copyEvent(db, id, 600, { name: `case number when 600 then 'Zebra Lantern Night' else 'Copy ' || number end` })
  const { page } = await device()
  await page.goto('/events')
  const last = page.getByRole('heading', { name: 'Zebra Lantern Night' })
  await expect(page.getByText('At least 500 events coming up')).toBeVisible()
  await expect(last).toHaveCount(0)
  await page.getByRole('searchbox').fill('night zebra')
  await expect(last).toBeVisible()
  await expect(page.getByText('1 event found', { exact: true })).toBeVisible()
  // The kept list is known to be a part, too.
  await page.goto('/events?q=zebra')
  await expect(last).toBeVisible()
})
