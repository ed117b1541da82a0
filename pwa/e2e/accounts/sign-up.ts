import type { Page } from 'playwright/test'
import { comeToDashboard } from '../journey.ts'

/** Fills in the sign-up form on the page and sends it. */
export async function fillInSignUp(page: Page, username: string): Promise<void> {
  const form = page.getByRole('tabpanel', { name: 'Sign Up' })
  await form.getByLabel('Username').fill(username)
  await form.getByLabel('Email').fill(`${username}@example.com`)
  await form.getByLabel('Password', { exact: true }).fill('long enough')
  await form.getByLabel('Confirm Password').fill('long enough')
  await form.getByRole('button', { name: 'Create Account' }).click()
}

/** Signs up as a person does, and waits for the dashboard. */
export async function signUp(page: Page, username: string): Promise<void> {
  await page.goto('/auth#sign-up')
  await fillInSignUp(page, username)
  await comeToDashboard(page)
}
