import { receiptRows, rowsOnDisk } from '../device-database.ts'
import { apply, bea, openEvents } from './application-form.ts'
import { expect, readyForOffline, signIn, olivia, test } from '../journey.ts'

test('a volunteer finds what they applied for, and the next form knows it', async ({ page, device, server, db }) => {
  const [first, other] = await openEvents(db)
  await page.goto('/?source=app')
  await page.waitForURL('**/events')
  await page.goto(`/events/${first.id}`)
  await readyForOffline(page)

  await page.goto(`/events/${first.id}/apply`)
  await expect(page.getByText('Step 1 of 2 · about 5 minutes')).toBeVisible()
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByLabel('First name'), 'the first missing answer has the focus').toBeFocused()
  await apply(page, first.id, bea)

  await page.goto(`/events/${other.id}/apply`)
  await expect(page.getByText('Filled in with your answers from last time.')).toBeVisible()
  await expect(page.getByLabel('First name')).toHaveValue('Bea')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByLabel('What are your areas of expertise?')).toHaveValue('Organ building.')
  await expect(page.getByLabel('Why do you want to be a Beacon at this event?')).toHaveValue('')
  await expect(page.getByText(/^\d answers are still missing$/)).toBeVisible()
  await page.getByRole('button', { name: 'Clear' }).click()
  await expect(page.getByLabel('First name')).toHaveValue('')

  await server.kill()
  await page.goto('/?source=app')
  await page.waitForURL('**/my-applications')
  const mine = page.getByRole('listitem').filter({ hasText: first.name })
  await expect(mine.getByText('The organizer decides.', { exact: false })).toBeVisible()
  await mine.getByRole('link', { name: first.name }).click()
  await expect(page.getByRole('heading', { name: 'Application Submitted' })).toBeVisible()

  const [receipt] = await receiptRows(page)
  const { token } = receipt!['answer'] as { token: string }
  const link = `${server.origin}/events/${first.id}/apply#application=${token}`
  await server.start()
  const homeScreen = await device({ serviceWorkers: 'block' })
  await homeScreen.page.goto('/my-applications')
  await homeScreen.page.getByLabel('Applied somewhere else?').fill('not a link')
  await homeScreen.page.getByRole('button', { name: 'Open Application' }).click()
  await expect(homeScreen.page.getByText('This is not the link of an application.', { exact: false })).toBeVisible()
  await homeScreen.page.getByLabel('Applied somewhere else?').fill(link)
  await homeScreen.page.getByRole('button', { name: 'Open Application' }).click()
  await expect(homeScreen.page.getByRole('heading', { name: 'Application Submitted' })).toBeVisible()
  const kept = () => rowsOnDisk(homeScreen.page, 'beaconry-device', 'settings')
  await expect.poll(kept, 'before the page is left').not.toEqual([])
  await homeScreen.page.goto('/my-applications')
  await expect(homeScreen.page.getByRole('link', { name: first.name })).toBeVisible()

  const organizer = await device()
  await signIn(organizer.page, olivia)
  await organizer.page.goto('/?source=app')
  await organizer.page.waitForURL('**/dashboard')
})
