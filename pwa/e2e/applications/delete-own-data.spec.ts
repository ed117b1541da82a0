import { openManage, card } from './applicants.ts'
import { applyAsBea } from './application-form.ts'
import { expect, olivia, signIn, test } from '../journey.ts'

test.use({ serviceWorkers: 'block' })

test('a volunteer deletes the data, also from the organizer’s screen', async ({ context, page, device, db }) => {
  const { eventId, applicant, stored } = await applyAsBea(page, db)
  const organizer = await device()
  await signIn(organizer.page, olivia)
  await openManage(organizer.page, eventId, applicant)

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
  await expect(card(organizer.page, applicant)).toHaveCount(0)
  expect(await stored()).toBeUndefined()

  await page.goto('/my-applications')
  await expect(page.getByRole('heading', { name: 'Your applications', level: 1 })).toBeVisible()
  await expect(page.getByText('Sandoval')).toHaveCount(0)
  await page.goto(`/events/${eventId}/apply`)
  await expect(page.getByRole('button', { name: 'Continue' })).toBeVisible()
})
