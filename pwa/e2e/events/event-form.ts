import type { Page } from 'playwright/test'

/** What a person types into the event form where it is not what every event of a journey has. */
export interface TypedEvent {
  readonly name: string
  readonly description?: string
  readonly incentives?: string
  /** Fields that may stay empty, by their label. */
  readonly optional?: Readonly<Record<string, string>>
}

/** Of next year: far days are asked about. */
export const springYear = new Date().getFullYear() + 1
/** For a date field. */
export const springDay = `${springYear}-05-09`

/** Types a whole event into the event form that is open. */
export async function fillInEvent(
  page: Page,
  { name, description = `${name}: two hours of good talk.`, incentives = 'Dinner.', optional = {} }: TypedEvent,
): Promise<void> {
  await page.getByLabel('Event Name').fill(name)
  await page.getByLabel('Description').fill(description)
  await page.getByLabel('Start Date').fill(springDay)
  await page.getByLabel('End Date').fill(springDay)
  await page.getByLabel('Venue').fill('Pier 27')
  await page.getByLabel('Address').fill('Pier 27, The Embarcadero')
  await page.getByLabel('State').selectOption('California')
  await page.getByLabel('Beacon Incentives').fill(incentives)
  for (const [label, text] of Object.entries(optional)) await page.getByLabel(label).fill(text)
}

/** Creates an event as a person does. Returns its number. */
export async function createEvent(page: Page, event: TypedEvent): Promise<number> {
  await page.goto('/events/create')
  await fillInEvent(page, event)
  await page.getByRole('button', { name: 'Create Event' }).click()
  await page.waitForURL(/\/events\/\d+\/customize$/)
  return Number(/events\/(\d+)\//.exec(page.url())?.[1])
}

/** Asks applicants one more question in an event that was just created, and saves. */
export async function addQuestion(page: Page, eventId: number, question: string): Promise<void> {
  await page.getByRole('tab', { name: 'Application Questions' }).click()
  await page.locator('#new-question').fill(question)
  await page.locator('#new-question').press('Enter')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.waitForURL(`**/events/manage/${eventId}`)
}
