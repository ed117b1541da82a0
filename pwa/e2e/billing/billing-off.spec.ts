import type { Page } from 'playwright/test'
import { signUp } from '../accounts/sign-up.ts'
import { createEvent } from '../events/event-form.ts'
import { ada, expect, signIn, test } from '../journey.ts'

test.use({ serverEnv: { BILLING: 'off' } })

const ofPlans = /\bplans?\b|pricing|prices?\b|promo code|subscri|billing|premium|revenue|\$\d/i

/** The whole page, its navigation and its footer, once it shows `heading`. */
async function saysNothingOfPlans(page: Page, heading: string | RegExp): Promise<void> {
  await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
  await expect(page.getByRole('contentinfo')).toBeVisible()
  expect((await page.locator('body').innerText()).match(ofPlans)).toBeNull()
  expect(await page.locator('a[href*="pricing"], a[href*="subscription"], a[href*="billing"]').count()).toBe(0)
}

test('without plans an organizer publishes and reads no word of plans, ever @nightly', async ({
  context,
  page,
  db,
}) => {
  await page.goto('/')
  await saysNothingOfPlans(page, /stand alone/)
  await page.getByRole('button', { name: 'Open menu' }).click()
  await expect(page.getByRole('link', { name: 'How It Works' }).first()).toBeVisible()
  await expect(page.getByRole('link', { name: 'Pricing' })).toHaveCount(0)
  for (const path of ['/features', '/faq', '/how-it-works', '/terms', '/privacy']) {
    await page.goto(path)
    await saysNothingOfPlans(page, /./)
  }

  await signUp(page, 'nora')
  await saysNothingOfPlans(page, 'Welcome, nora')
  await createEvent(page, { name: 'Nora’s first evening' })
  await expect.poll(() => db('events').where({ name: 'Nora’s first evening' }).pluck('subscriptionId')).toEqual([null])
  await page.goto('/dashboard')
  await expect(page.getByRole('link', { name: 'Nora’s first evening' })).toBeVisible()
  await saysNothingOfPlans(page, 'Welcome, nora')
  await page.goto('/profile')
  await saysNothingOfPlans(page, 'Profile')
  await page.goto('/analytics')
  await expect(page.getByText('Part of the Unlimited plan')).toHaveCount(0)

  await context.setOffline(true)
  for (const path of ['/pricing', '/checkout?planId=2', '/subscription', '/manage-subscription', '/billing-history']) {
    await page.goto(path)
    await page.waitForURL('**/dashboard')
    await saysNothingOfPlans(page, 'Welcome, nora')
  }
})

test('an admin of a server without plans sees neither promo codes nor revenue @nightly', async ({ page }) => {
  await signIn(page, ada)
  await page.goto('/admin')
  await expect(page.getByText('Total Users')).toBeVisible()
  await expect(page.getByRole('tab', { name: 'Failed' })).toBeVisible()
  await saysNothingOfPlans(page, 'Admin Dashboard')
  await page.getByRole('tab', { name: 'Figures' }).click()
  await expect(page.getByRole('figure', { name: 'New events' })).toBeVisible()
  await saysNothingOfPlans(page, 'Admin Dashboard')
  await page.goto('/admin')
  await page.getByRole('link', { name: 'olivia', exact: true }).click()
  await expect(page.getByText('Last seen')).toBeVisible()
  await saysNothingOfPlans(page, /olivia/)
})
