import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright/test'
import { apiOf, applyByCall, decideByCall } from '../client.ts'
import { fillInEvent } from '../events/event-form.ts'
import { olivia } from '../journey.ts'
import { field, press, reload, screen, see, type Screen } from '../screen.ts'

const bea = {
  lastName: 'Lindqvist',
  bio: 'Bea leads the product team at Northwind and has lived in four countries, in each of which somebody had to introduce her to everybody else. She returns the favour: tell her what you are looking for, and she walks you to the person who knows.',
}

/** Where an applicant who has just applied looks at that. Another person each time. */
export const ownApplication = (eventId: number, wish: 'pending' | 'approved') => async (page: Page) => {
  await page.goto('/not-there-yet')
  const { origin } = new URL(page.url())
  const email = `bea.${randomUUID().slice(0, 6)}@example.com`
  const { id, token } = await applyByCall(origin, eventId, { ...bea, email })
  if (wish === 'approved') await decideByCall(await apiOf(origin, olivia), id, 'approved')
  return `/events/${eventId}/apply#application=${token}`
}

const saveDraft = (name: string) => async (page: Page) => {
  await fillInEvent(page, { name })
  await page.getByRole('button', { name: 'Save Draft and Continue' }).click()
  await page.getByRole('heading', { name: 'Draft saved' }).waitFor()
}

/** What a volunteer sees of their own application, and what somebody sees who writes an event before having an account. */
export function applicantScreens(eventId: number): Screen[] {
  const pending = ownApplication(eventId, 'pending')
  const submitted = see('heading', 'Application Submitted')
  const question = see('alertdialog')
  return [
    screen('own-application', pending, submitted),
    screen('own-application-approved', ownApplication(eventId, 'approved'), see('heading', 'You’re a Beacon')),
    screen(
      'own-application-correct',
      pending,
      submitted,
      press('button', 'Correct it'),
      see('heading', 'Correct your application'),
    ),
    screen('own-application-withdraw', pending, submitted, press('button', 'Withdraw Application'), question),
    screen('own-application-delete', pending, submitted, press('button', 'Delete My Data'), question),
    screen(
      'own-application-unknown',
      `/events/${eventId}/apply#application=cut-off`,
      reload,
      see('heading', 'Application Not Found'),
    ),
    screen('invalid-event', '/events/tomorrow', see('heading', 'Invalid Event ID')),
    screen('builder', '/event-builder', field('Event Name')),
    screen('builder-saved', '/event-builder', saveDraft('Lantern Walk')),
    screen(
      'builder-drafts',
      '/event-builder',
      press('link', 'Start a New Event'),
      saveDraft('Book Night at the Old Harbour Library'),
      (page) => page.goto('/event-builder'),
      see('heading', 'Your drafts'),
    ),
  ]
}
