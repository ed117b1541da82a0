import type { Page } from 'playwright/test'
import {
  fillInApplication,
  openEvent,
  openForm,
  submitApplication,
  type Volunteer,
} from '../applications/application-form.ts'
import { everythingKept } from './everything-kept.ts'
import { expect, test } from '../journey.ts'

const ana: Volunteer = {
  first: 'Anastasia',
  last: 'Quillfeather',
  email: 'quillfeather@canary.example',
  phone: '(415) 555-0199',
  expertise: 'Clocks.',
  bio: 'I collect tidal clocks and I tell everybody about them.',
}
const ben: Volunteer = {
  first: 'Benedict',
  last: 'Moss',
  email: 'ben.moss@example.com',
  phone: '(415) 555-0199',
  expertise: 'Clocks.',
  bio: 'I bring people together over soup, slowly and with good bread.',
}
const canaries = ['Anastasia', 'Quillfeather', 'quillfeather', 'tidal clocks', '555-0199', '5550199']

async function fillInAndSend(page: Page, who: Volunteer): Promise<void> {
  await fillInApplication(page, who)
  await submitApplication(page)
}

const say = (page: Page, title: string) => expect(page.getByRole('heading', { name: title, level: 1 })).toBeVisible()

/** What opens Ana's application, as this device keeps it. */
async function tokenKept(page: Page): Promise<string> {
  const token = /"token":"([\w.-]{20,})"/.exec(await everythingKept(page))?.[1]
  if (!token) throw new Error('This device keeps no token')
  return token
}

async function expectNothingOf(page: Page, words: readonly string[], when: string): Promise<void> {
  await expect
    .poll(async () => {
      const kept = await everythingKept(page)
      return words.filter((word) => kept.includes(word))
    }, `${when}: nothing is found`)
    .toEqual([])
}

test('who applies next on a shared tablet finds nothing of who applied before', async ({ page, db }) => {
  const { id: eventId } = await openEvent(db)
  await openForm(page, eventId)
  await fillInAndSend(page, ana)
  await say(page, 'Application Submitted')
  const token = await tokenKept(page)
  expect(await everythingKept(page), 'the search finds what is there').toContain('tidal clocks')

  await page.getByRole('button', { name: 'Apply for someone else' }).click()
  await say(page, 'Become a Beacon')
  await expectNothingOf(page, [...canaries, token], 'with the form before the next person')
  await expect(page.getByLabel('First name'), 'the browser suggests no names').toHaveAttribute('autocomplete', 'off')
  await page.reload()
  await say(page, 'Become a Beacon')
  await expectNothingOf(page, [...canaries, token], 'after a reload')
  await page.goBack()
  await page.goForward()
  await say(page, 'Become a Beacon')
  await expectNothingOf(page, [...canaries, token], 'after going back and forward')

  await fillInAndSend(page, { ...ben })
  await say(page, 'Application Submitted')
  await expect(page.getByText('Thank you, Benedict.')).toBeVisible()
  await expectNothingOf(page, ['Anastasia', 'Quillfeather', token], 'beside the next application')
  expect(await db('applications').where({ eventId }).whereIn('email', [ana.email, ben.email])).toHaveLength(2)

  await page.getByLabel('Keep my application on this device').check()
  await page.getByRole('button', { name: 'Apply for someone else' }).click()
  await fillInAndSend(page, { ...ana, email: 'other@canary.example' })
  await say(page, 'Application Submitted')
  await page.getByRole('link', { name: 'Benedict Moss' }).click()
  await expect(page.getByText(ben.bio)).toBeVisible()
})

test('an application opened by its link is removed, and Back does not reopen it @nightly', async ({ device, db }) => {
  const { id: eventId } = await openEvent(db)
  const own = await device()
  await openForm(own.page, eventId)
  await fillInAndSend(own.page, ana)
  await say(own.page, 'Application Submitted')
  const link = `/events/${eventId}/apply#application=${await tokenKept(own.page)}`

  const { page, context } = await device()
  await page.goto('/events')
  await page.goto(link)
  await expect(page.getByText(ana.bio)).toBeVisible()
  await page.getByRole('link', { name: 'Return to Event' }).click()
  await page.goto(link)
  await page.getByRole('button', { name: 'Correct it' }).click()
  await page.getByRole('textbox', { name: 'Company (optional)' }).fill('Quillfeather Clocks')
  await page.getByRole('button', { name: 'Save Correction' }).click()
  await expect.poll(async () => (await db('applications').where({ email: ana.email }).first())?.company).toBeTruthy()
  const other = await context.newPage()
  await other.goto(link)
  await expect(other.getByText(ana.bio)).toBeVisible()
  await page.getByRole('button', { name: 'Remove from This Device' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(page.getByText('Removed from this device', { exact: true })).toBeVisible()
  const words = [...canaries, link.split('=')[1] ?? link]
  await expectNothingOf(page, words, 'after the removal')
  await expectNothingOf(other, words, 'in another tab')
  for (const way of ['back', 'back', 'forward', 'forward'] as const) {
    await (way === 'back' ? page.goBack() : page.goForward())
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expectNothingOf(page, words, `after going ${way}`)
    await expect(page.getByRole('button', { name: 'Withdraw Application' })).toHaveCount(0)
  }

  await other.goto(link)
  await expect(other.getByText(ana.bio), 'the link itself still opens it').toBeVisible()
})

test('an unsent application is not lost unasked, nor kept once sent @nightly', async ({ page, server, db }) => {
  const { id: eventId } = await openEvent(db)
  await openForm(page, eventId)
  await server.kill()
  const removed = page.getByText('Removed from this device', { exact: true })
  const question = page.getByRole('alertdialog')
  const applyAndRemove = async (who: Volunteer) => {
    await fillInAndSend(page, who)
    await say(page, 'Saved on this device')
    await page.getByRole('button', { name: 'Remove from This Device' }).click()
    await expect(question).toContainText('Your application has not been sent yet')
  }
  await applyAndRemove(ben)
  await question.getByRole('button', { name: 'Remove Without Sending' }).click()
  await expect(removed).toBeVisible()
  await page.goto(`/events/${eventId}/apply`)
  await applyAndRemove(ana)
  await question.getByRole('button', { name: 'Keep It on This Device' }).click()
  await say(page, 'Saved on this device')
  await page.getByRole('button', { name: 'Remove from This Device' }).click()
  await question.getByRole('button', { name: 'Send It, Then Keep Nothing' }).click()
  await expect(removed).toBeVisible()
  await page.goto(`/events/${eventId}/apply`)
  await say(page, 'Become a Beacon')
  await page.goto('/sync')
  await expect(page.getByText('An application that was removed from this device').first()).toBeVisible()
  expect(canaries.filter((word) => page.url().includes(word))).toEqual([])
  await expect(page.locator('body')).not.toContainText('Quillfeather')

  await server.start()
  await page.reload()
  await expect.poll(async () => await db('applications').where({ email: ana.email })).toHaveLength(1)
  await expectNothingOf(page, [...canaries, 'Benedict', ben.email], 'once it was sent')
  expect(await db('applications').where({ email: ben.email })).toHaveLength(0)
})
