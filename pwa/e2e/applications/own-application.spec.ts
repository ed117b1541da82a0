import type { Page } from 'playwright/test'
import { apiOf, decideByCall } from '../client.ts'
import {
  apply,
  applyAsBea,
  bea,
  fillInApplication,
  openEvent,
  openEvents,
  submitApplication,
} from './application-form.ts'
import { expect, goByLink, holdBack, olivia, readyForOffline, test } from '../journey.ts'

const say = (page: Page, title: string) => expect(page.getByRole('heading', { name: title, level: 1 })).toBeVisible()

async function correctBio(page: Page, text: string): Promise<void> {
  await page.getByRole('button', { name: 'Correct it' }).click()
  await say(page, 'Correct your application')
  await page.getByLabel('A short bio for the event page').fill(text)
  await page.getByRole('button', { name: 'Save Correction' }).click()
}

test('a volunteer corrects, withdraws and applies again offline', async ({ context, page, server, db }) => {
  const addresses: string[] = []
  context.on('request', (request) => addresses.push(request.url()))
  const { applicant, stored } = await applyAsBea(page, db)

  await server.kill()
  await page.reload()
  await say(page, 'Application Submitted')
  await expect(page.getByText(bea.bio)).toBeVisible()
  await correctBio(page, 'I listen.')
  await expect(page.getByText('your correction will be sent automatically')).toBeVisible()
  await page.reload()
  await expect(page.getByText('I listen.'), 'a reload without a server keeps the correction').toBeVisible()
  expect((await stored())?.bio).toBe(bea.bio)

  await server.start()
  await expect.poll(async () => (await stored())?.bio).toBe('I listen.')
  await expect(page.getByText('your correction will be sent automatically')).toHaveCount(0)

  await decideByCall(await apiOf(server.origin, olivia), applicant.id, 'approved')
  await page.reload()
  await say(page, 'You’re a Beacon')
  await correctBio(page, 'I listen well.')
  await expect.poll(stored).toMatchObject({ bio: 'I listen well.', status: 'approved', decisionNumber: 1 })

  await server.kill()
  await page.getByRole('button', { name: 'Withdraw Application' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Withdraw' }).click()
  await say(page, 'Withdrawal saved on this device')
  await server.start()
  await say(page, 'Application withdrawn')

  await server.kill()
  await page.getByRole('button', { name: 'Apply Again' }).click()
  await say(page, 'Application saved on this device')
  await page.reload()
  await say(page, 'Application saved on this device')
  await server.start()
  await say(page, 'Application Submitted')
  expect((await stored())?.status, 'the organizer can decide again').toBe('pending')
  expect(addresses.filter((address) => /application=/.test(address))).toEqual([])
})

test('the link opens the application on another phone, and its token is sent in no address', async ({ device, db }) => {
  const { id: eventId } = await openEvent(db)
  const first = await device({ permissions: ['clipboard-read', 'clipboard-write'] })
  await apply(first.page, eventId, bea)
  await first.page.getByText('My private link', { exact: true }).click()
  await expect(first.page.getByText('please do not pass it on', { exact: false })).toBeVisible()
  await first.page.getByRole('button', { name: 'Copy My Private Link' }).click()
  await expect(first.page.getByText('Private link copied', { exact: true })).toBeVisible()
  const link = await first.page.evaluate(() => navigator.clipboard.readText())

  const { page, context } = await device()
  const addresses: string[] = []
  context.on('request', (request) => addresses.push(request.url()))
  await page.goto(link)
  await say(page, 'Application Submitted')
  await expect(page.getByText(bea.bio)).toBeVisible()
  expect(addresses.filter((address) => address.includes('application='))).toEqual([])

  await page.goto(link.replace('#', '?'))
  await say(page, 'Application Submitted')
  await expect(page, 'nothing in the history opens it').toHaveURL(/\/apply\?own=\d+$/)
  await readyForOffline(page)
  await context.setOffline(true)
  await page.reload()
  await expect(page.getByText(bea.bio), 'what was known last is readable without a network').toBeVisible()
  await context.setOffline(false)

  await page.goto(`/events/${eventId}/apply#application=nonsense`)
  await page.reload()
  await say(page, 'Application Not Found')
})

test('an application that leaves during its correction keeps the form @nightly', async ({ device, db }) => {
  const [{ id: first }, { id: second }] = await openEvents(db)
  const { page } = await device({ serviceWorkers: 'block' })
  const letGo = await holdBack(page, '**/api/sync/mutations')
  const bodhi = { first: 'Bo', last: 'Moss', email: 'bo.moss@example.com', expertise: 'Organs.', bio: 'I listen.' }
  await page.goto('/events')
  for (const id of [first, second]) {
    await goByLink(page, `/events/${id}/apply`)
    await fillInApplication(page, bodhi)
    await submitApplication(page)
    await expect(page.getByRole('heading', { name: 'Saved on this device' })).toBeVisible()
  }
  await page.getByRole('button', { name: 'Correct it' }).click()
  await page.getByLabel('First name').fill('Bodhi')
  letGo()
  const stored = async () =>
    (await db('applications').where({ eventId: second, email: bodhi.email })).map((row) => row.firstName)
  await expect.poll(stored).toEqual(['Bo'])
  await page.getByLabel('I agree to the terms').check()
  await page.getByRole('button', { name: 'Send Again' }).click()
  await expect(page.getByRole('heading', { name: 'Application Submitted' })).toBeVisible()
  await expect.poll(stored).toEqual(['Bodhi'])
})
