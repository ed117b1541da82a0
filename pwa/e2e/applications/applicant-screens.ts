import { randomUUID } from 'node:crypto'
import { request, type APIRequestContext, type Page } from 'playwright/test'
import { fillInEvent } from '../events/event-form.ts'
import { olivia } from '../journey.ts'
import type { Screen } from '../screens.ts'

const bea = {
  firstName: 'Bea',
  lastName: 'Lindqvist',
  phone: '(415) 555-0177',
  company: 'Northwind',
  jobTitle: 'Product Lead',
  linkedinUrl: 'https://www.linkedin.com/in/bea-lindqvist',
  experience: '1-2 times',
  expertise: 'Product management, first jobs, finding a co-founder.',
  whyBeacon:
    'Two years ago somebody took me by the arm at an event like this one and introduced me to my first client.',
  networkingStyle: 'I ask what brought people here, and then I know whom they should meet.',
  bio: 'Bea leads the product team at Northwind and has lived in four countries, in each of which somebody had to introduce her to everybody else. She returns the favour: tell her what you are looking for, and she walks you to the person who knows.',
  filledInMs: 60_000,
}

/** Says what the server is told as a page of it would. */
async function post(from: APIRequestContext, page: Page, path: string, data: object, method = 'POST') {
  const origin = new URL(page.url()).origin
  const answer = await from.fetch(origin + path, {
    method,
    data,
    headers: { Origin: origin, 'Idempotency-Key': randomUUID() },
  })
  if (!answer.ok()) throw new Error(`${path}: ${answer.status()} ${await answer.text()}`)
  return (await answer.json()) as { id: number; token: string }
}

/** Opens the page of somebody who has just applied. Another person each time. */
async function openOwnApplication(page: Page, eventId: number, wish: 'pending' | 'approved'): Promise<void> {
  await page.goto('/not-there-yet')
  const stranger = await request.newContext()
  const asked = await stranger.get(`${new URL(page.url()).origin}/api/events/${eventId}`)
  const { customQuestions } = (await asked.json()) as { customQuestions: string[] }
  const customAnswers = customQuestions.map((question) => ({ question, answer: 'Gladly, and in Spanish too.' }))
  const application = { ...bea, email: `bea.${randomUUID().slice(0, 6)}@example.com`, customAnswers }
  const { id, token } = await post(stranger, page, `/api/events/${eventId}/beacons`, application)
  if (wish === 'approved') {
    await post(stranger, page, '/api/login', { email: olivia.email, password: olivia.password })
    await post(stranger, page, `/api/beacons/${id}/status`, { status: 'approved' }, 'PATCH')
  }
  await stranger.dispose()
  await page.goto(`/events/${eventId}/apply#application=${token}`)
  await page.getByRole('heading', { name: wish === 'pending' ? 'Application Submitted' : 'You are a Beacon' }).waitFor()
  await page.evaluate(() => document.fonts.ready)
}

async function saveDraft(page: Page, name: string): Promise<void> {
  await page.getByLabel('Event Name').waitFor()
  await fillInEvent(page, { name })
  await page.getByRole('button', { name: 'Save Draft and Continue' }).click()
  await page.getByRole('heading', { name: 'Draft saved' }).waitFor()
}

/** What a volunteer sees of their own application, and what somebody sees who writes an event before having an account. */
export function applicantScreens(eventId: number): Screen[] {
  return [
    { name: 'own-application', open: (page) => openOwnApplication(page, eventId, 'pending') },
    { name: 'own-application-approved', open: (page) => openOwnApplication(page, eventId, 'approved') },
    {
      name: 'own-application-correct',
      open: async (page) => {
        await openOwnApplication(page, eventId, 'pending')
        await page.getByRole('button', { name: 'Correct it' }).click()
        await page.getByRole('heading', { name: 'Correct your application' }).waitFor()
      },
    },
    {
      name: 'own-application-withdraw',
      open: async (page) => {
        await openOwnApplication(page, eventId, 'pending')
        await page.getByRole('button', { name: 'Withdraw Application' }).click()
        await page.getByRole('alertdialog').waitFor()
      },
    },
    {
      name: 'own-application-delete',
      open: async (page) => {
        await openOwnApplication(page, eventId, 'pending')
        await page.getByRole('button', { name: 'Delete My Data' }).click()
        await page.getByRole('alertdialog').waitFor()
      },
    },
    {
      name: 'own-application-unknown',
      open: async (page) => {
        await page.goto(`/events/${eventId}/apply#application=cut-off`)
        await page.reload()
        await page.getByRole('heading', { name: 'Application Not Found' }).waitFor()
      },
    },
    {
      name: 'invalid-event',
      open: async (page) => {
        await page.goto('/events/tomorrow')
        await page.getByRole('heading', { name: 'Invalid Event ID' }).waitFor()
      },
    },
    {
      name: 'builder',
      open: async (page) => {
        await page.goto('/event-builder')
        await page.getByLabel('Event Name').waitFor()
      },
    },
    {
      name: 'builder-saved',
      open: async (page) => {
        await page.goto('/event-builder')
        await saveDraft(page, 'Lantern Walk')
      },
    },
    {
      name: 'builder-drafts',
      open: async (page) => {
        await page.goto('/event-builder')
        await page.getByRole('link', { name: 'Start a New Event' }).click()
        await saveDraft(page, 'Book Night at the Old Harbour Library')
        await page.goto('/event-builder')
        await page.getByRole('heading', { name: 'Your drafts' }).waitFor()
      },
    },
  ]
}
