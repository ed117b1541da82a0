import { ada, expect, olivia, sharingTest as test, signIn } from '../journey.ts'
import { findDemoIds } from '../screens.ts'

test('an admin takes an event down and puts it back, and its organizer reads why @nightly', async ({ device, db }) => {
  const { published } = await findDemoIds(db)
  const { name } = (await db('events').where({ id: published }).first('name'))!
  const reason = 'It sells tickets to another event.'
  const admin = (await device()).page
  await signIn(admin, ada)
  await admin.goto('/admin')
  await admin.getByRole('tab', { name: 'Events' }).click()
  await admin.getByLabel('Search events').fill(`${name} olivia`)
  const line = admin.getByRole('list', { name: 'Events of all organizers' }).getByRole('listitem')
  await line.getByRole('button', { name: `Take down: ${name}` }).click()
  const dialog = admin.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Take down' }).click()
  await expect(dialog.getByText('Please say why')).toBeVisible()
  await dialog.getByLabel('Reason').fill(reason)
  await dialog.getByRole('button', { name: 'Take down' }).click()
  await expect(line).toContainText('Taken down')

  const organizer = (await device()).page
  await signIn(organizer, olivia)
  await expect(organizer.getByRole('listitem').filter({ hasText: name })).toContainText(`Taken down. ${reason}`)
  await organizer.goto(`/events/manage/${published}`)
  await expect(organizer.getByRole('alert').filter({ hasText: 'This event was taken down' })).toContainText(reason)

  await line.getByRole('button', { name: `Put back: ${name}` }).click()
  await expect(line).toContainText('Upcoming')
  await expect(organizer.getByText('This event was taken down')).toHaveCount(0)
})
