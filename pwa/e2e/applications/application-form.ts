import type { Knex } from 'knex'
import { expect, type Page } from 'playwright/test'
import { readyForOffline } from '../journey.ts'
import type { Applicant } from './applicants.ts'

/** Somebody who applies. */
export interface Volunteer {
  readonly first: string
  readonly last: string
  readonly email: string
  readonly phone?: string
  readonly expertise: string
  readonly bio: string
}

export const bea = {
  first: 'Bea',
  last: 'Sandoval',
  email: 'bea.sandoval@example.com',
  expertise: 'Organ building.',
  bio: 'I repair organ pipes by day and listen for the one that is quietly out of tune with the others.',
} as const satisfies Volunteer

interface OpenEvent {
  readonly id: number
  readonly name: string
}

/** Sets the page's clock on by what a person needs to fill in the form: the server refuses who fills it in like a program. */
export async function letTypingTimePass(page: Page): Promise<void> {
  await page.evaluate(() => {
    const now = Date.now.bind(Date)
    Date.now = () => now() + 60_000
  })
}

/** Two upcoming events of Olivia's that take applications and ask nothing but the default questions. */
export async function openEvents(db: Knex): Promise<[OpenEvent, OpenEvent]> {
  const events = await db('events')
    .where({ organizerId: 1, showDefaultQuestions: true, applicationsClosed: false, applicationsCloseAt: null })
    .andWhere('endDate', '>', db.raw('current_date + 2'))
    .whereRaw("custom_questions = '[]'")
    .orderBy('id')
    .select('id', 'name')
  return events as [OpenEvent, OpenEvent]
}

export const openEvent = async (db: Knex): Promise<OpenEvent> => (await openEvents(db))[0]

/** The second step, behind a person's name and address. */
export async function goToQuestions(page: Page): Promise<void> {
  await page.getByLabel('First name').fill('Ben')
  await page.getByLabel('Last name').fill('Ode')
  await page.getByLabel('Email', { exact: true }).fill('ben.ode@example.com')
  await page.getByRole('button', { name: 'Continue' }).click()
}

/** Opens the form of an event on a device that would then open it without a network, too. */
export async function openForm(page: Page, eventId: number): Promise<void> {
  await page.goto(`/events/${eventId}`)
  await readyForOffline(page)
  await page.goto(`/events/${eventId}/apply`)
  await expect(page.getByRole('heading', { name: 'Become a Beacon' })).toBeVisible()
}

/** Fills in the form that is open, as a person does. */
export async function fillInApplication(page: Page, who: Volunteer): Promise<void> {
  await page.getByLabel('First name').fill(who.first)
  await page.getByLabel('Last name').fill(who.last)
  await page.getByLabel('Email', { exact: true }).fill(who.email)
  if (who.phone !== undefined) await page.getByLabel('Phone').fill(who.phone)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('First time').check()
  await page.getByLabel('What are your areas of expertise?').fill(who.expertise)
  await page.getByLabel('Why do you want to be a Beacon at this event?').fill('Somebody should greet people.')
  await page.getByLabel('How would you describe your networking style?').fill('Slow and kind.')
  await page.getByLabel('A short bio for the event page').fill(who.bio)
  await page.getByLabel('I agree to the terms').check()
  await letTypingTimePass(page)
}

/** Sends the form that is open. */
export async function submitApplication(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Submit Application' }).click()
}

/** Applies for an event while the server answers. */
export async function apply(page: Page, eventId: number, who: Volunteer): Promise<void> {
  await page.goto(`/events/${eventId}/apply`)
  await fillInApplication(page, who)
  await submitApplication(page)
  await expect(page.getByRole('heading', { name: 'Application Submitted' })).toBeVisible()
}

/** Bea applies on a device that would show the event without a network, if it has a worker. `stored` is what the server has of her. */
export async function applyAsBea(page: Page, db: Knex) {
  const { id: eventId, name } = await openEvent(db)
  await page.goto(`/events/${eventId}`)
  await readyForOffline(page)
  await apply(page, eventId, bea)
  const stored = async () => await db('applications').where({ email: bea.email }).first()
  const applicant: Applicant = {
    id: (await stored())?.id ?? 0,
    name: `${bea.first} ${bea.last}`,
    email: bea.email,
    decisionNumber: 0,
  }
  return { eventId, name, applicant, stored }
}
