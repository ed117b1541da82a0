import { busiestEvent } from '../applications/applicants.ts'
import { rowsOnDisk } from '../device-database.ts'
import { expect, olivia, signIn, test } from '../journey.ts'

test.use({ serviceWorkers: 'block' })

test('with an unconfirmed address Beacons get the default text, and the preview shows it @nightly', async ({
  page,
  db,
}) => {
  await db('users').where({ email: olivia.email }).update({ emailVerifiedAt: null })
  const { eventId: id, name } = await busiestEvent(db)
  await signIn(page, olivia)
  await page.goto(`/events/${id}/customize`)
  const preview = page.getByRole('region', { name: 'Preview for Ana Ruiz' })
  await page.getByLabel('Subject').fill('Welcome to my shop')
  await page.getByLabel('Body').fill('Dear [Beacon Name], buy now.')
  await page.getByLabel('Code for your Beacons').fill('SHOP')

  const told = 'Your own text is used once you have confirmed your email address'
  await expect(page.getByText(told, { exact: true })).toBeVisible()
  await expect(preview).toContainText(told)
  await expect(preview).toContainText(`You're a Beacon for ${name}!`)
  await expect(preview).toContainText('Great news: you have been approved')
  await expect(preview).not.toContainText('shop')
  await expect(preview).not.toContainText('SHOP')

  await db('users').where({ email: olivia.email }).update({ emailVerifiedAt: new Date() })
  const drafts = async () => JSON.stringify(await rowsOnDisk(page, 'beaconry-device', 'drafts'))
  await expect.poll(drafts, 'what was typed is kept').toContain('SHOP')
  await page.reload()
  await expect(page.getByText(told)).toHaveCount(0)
  await expect(preview).toContainText('Welcome to my shop')
  await expect(preview).toContainText('Dear Ana Ruiz, buy now.')
})
