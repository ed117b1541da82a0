import type { Page } from 'playwright/test'
import { fillInSignUp } from '../accounts/sign-up.ts'
import { applyByCall } from '../client.ts'
import { fillInEvent } from './event-form.ts'
import { expect, test } from '../journey.ts'

test.use({ serviceWorkers: 'block' })

/** The cards of the drafts on the screen. */
const draftNames = (page: Page) => page.getByRole('link', { name: /^Continue / })

async function saveDraft(page: Page, name: string): Promise<void> {
  await fillInEvent(page, { name })
  await page.getByRole('button', { name: 'Save Draft and Continue' }).click()
  await expect(page.getByRole('button', { name: 'Saving...' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Draft saved' })).toBeVisible()
}

test('an event written without an account is published after sign-up and plan', async ({ page, db }) => {
  await page.goto('/')
  await page.getByRole('link', { name: 'Create Your First Event' }).click()
  await page.waitForURL('**/event-builder')
  await page.getByRole('button', { name: 'Save Draft and Continue' }).click()
  await expect(page.getByText('Start date is required')).toBeVisible()
  await saveDraft(page, 'Lantern Walk')
  await expect(page.getByText(/create an account or sign in, select a plan and publish/)).toBeVisible()

  await page.getByRole('link', { name: 'Edit Event' }).click()
  await expect(page.getByLabel('Event Name')).toHaveValue('Lantern Walk')
  await page.reload()
  await expect(page.getByLabel('Event Name'), 'a reload comes back to the draft').toHaveValue('Lantern Walk')

  await page.goto('/event-builder')
  await page.getByRole('link', { name: 'Start a New Event' }).click()
  await saveDraft(page, 'Book Night')
  await page.getByRole('link', { name: 'Your drafts' }).click()
  await expect(draftNames(page)).toHaveCount(2)
  await page.getByRole('button', { name: 'Rename Book Night' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Books in spring')
  await page.getByRole('button', { name: 'Save Name' }).click()
  await expect(page.getByRole('link', { name: 'Continue Books in spring' })).toBeVisible()
  await page.getByRole('button', { name: 'Delete Books in spring' }).click()
  await expect(draftNames(page)).toHaveCount(1)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('link', { name: 'Continue Books in spring' })).toBeVisible()

  await page.getByRole('link', { name: 'Continue Lantern Walk' }).click()
  await page.getByRole('button', { name: 'Save Draft and Continue' }).click()
  await page.getByRole('link', { name: 'Create Account / Sign In' }).click()
  await fillInSignUp(page, 'bea')
  await expect(page.getByText('Welcome to Beaconry, bea!', { exact: true })).toBeVisible()

  await expect(page.getByText('Subscription Required')).toBeVisible()
  await expect(page.getByLabel('Event Name'), 'the form comes before the plan').toHaveValue('Lantern Walk')
  await page.getByLabel('Venue').fill('Pier 28')
  await page.getByRole('button', { name: 'Create Event' }).click()
  await expect(page.getByText('Your event is kept').first()).toBeVisible()
  await expect(page.getByRole('region', { name: 'Plans' })).toBeFocused()
  expect(await db('events').where({ name: 'Lantern Walk' })).toEqual([])
  await page.getByRole('region', { name: 'Plans' }).getByRole('radio').first().check()
  await page.getByRole('button', { name: 'Subscribe and Publish for $20.00' }).click()
  await page.waitForURL(/\/events\/\d+\/customize$/)
  const stored = () => db('events').where({ name: 'Lantern Walk' }).select('location')
  await expect.poll(stored, 'what was typed last').toEqual([{ location: 'Pier 28' }])

  await page.goto('/event-builder')
  await expect(page.getByRole('link', { name: 'Continue Books in spring' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Continue Lantern Walk' })).toHaveCount(0)
})

test('from the landing to a published event and its first mail in nine presses @nightly', async ({ page, server }) => {
  let presses = 0
  const press = async (role: 'button' | 'link' | 'radio', name: string | RegExp) => {
    presses += 1
    await page.getByRole(role, { name }).first().click()
  }
  await page.goto('/')
  await press('link', 'Create Your First Event')
  await fillInEvent(page, { name: 'Harbor Lights' })
  await press('button', 'Save Draft and Continue')
  await press('link', 'Create Account / Sign In')
  presses += 1
  await fillInSignUp(page, 'cleo')
  await press('button', 'Create Event')
  await press('radio', /^Single Event/)
  await press('button', 'Subscribe and Publish for $20.00')
  await page.waitForURL(/\/events\/\d+\/customize$/)
  const eventId = Number(/events\/(\d+)\//.exec(page.url())?.[1])
  await page.getByLabel('Subject').fill('Welcome to the harbor')
  await press('button', 'Save')
  await expect(page.getByText('Customization Saved').first()).toBeVisible()
  expect(presses).toBeLessThanOrEqual(9)

  await expect.poll(async () => (await fetch(`${server.origin}/api/events/${eventId}`)).status).toBe(200)
  await applyByCall(server.origin, eventId, { email: 'first@example.com' })
  await expect
    .poll(async () => {
      await page.goto('/mail-preview')
      return await page.getByText('To first@example.com').count()
    })
    .toBe(1)
  await expect(page.getByText('We have your application for Harbor Lights').first()).toBeVisible()
})
