import { apply, openEvent } from './application-form.ts'
import { expect, olivia, signIn, test } from '../journey.ts'

test.use({ serviceWorkers: 'block', viewport: { width: 390, height: 844 } })

test('a volunteer deletes the data, and it goes from the organizer’s screen and this device', async ({
  device,
  db,
}) => {
  const { id: eventId } = await openEvent(db)
  const { page, context } = await device()
  const bea = {
    first: 'Bea',
    last: 'Sandoval',
    email: 'bea.sandoval@example.com',
    expertise: 'Organs.',
    bio: 'I listen.',
  }
  await apply(page, eventId, bea)
  const { id } = await db('applications').where({ email: bea.email }).first('id')
  const organizer = await device()
  await signIn(organizer.page, olivia)
  await organizer.page.goto(`/events/manage/${eventId}`)
  const row = organizer.page.locator(`[data-row="${id}"]`)
  await expect(row).toBeVisible()

  const pressed = page.getByRole('button', { name: 'Delete My Data' })
  await context.setOffline(true)
  await pressed.click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Your data could not be deleted').first()).toBeVisible()
  await expect(page.getByText('Deleting your data needs a connection.')).toBeVisible()
  await context.setOffline(false)
  await pressed.click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Your data is deleted').first()).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`/events/${eventId}$`))
  await expect(row).toHaveCount(0)
  expect(await db('applications').where({ id })).toEqual([])

  await page.goto('/my-applications')
  await expect(page.getByRole('heading', { name: 'Your applications', level: 1 })).toBeVisible()
  await expect(page.getByText('Sandoval')).toHaveCount(0)
  await page.goto(`/events/${eventId}/apply`)
  await expect(page.getByRole('button', { name: 'Continue' })).toBeVisible()
})
