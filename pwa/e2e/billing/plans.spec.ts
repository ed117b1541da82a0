import type { Knex } from 'knex'
import type { Page } from 'playwright/test'
import { accountChange } from '../../../sync-server/billing/account-document.ts'
import { recordChanges } from '../../../sync-server/feed/change-feed.ts'
import { createEvent } from '../events/event-form.ts'
import { expect, olivia, otto, signIn, test, said } from '../journey.ts'
import { fillInSignUp, signUp } from '../accounts/sign-up.ts'

test.use({ serviceWorkers: 'block' })

const dayMs = 86_400_000

/** Time passes for a person's plan: nothing a test could wait for. Every device is told, as by the server. */
async function letPlanEndIn(db: Knex, username: string, milliseconds: number): Promise<void> {
  await db.transaction(async (trx) => {
    const user = await trx('users').where({ username }).first('id')
    await trx('user_subscriptions')
      .where({ userId: user!.id })
      .update({ endDate: new Date(Date.now() + milliseconds) })
    await recordChanges(trx, [await accountChange(trx, user!.id, new Date())])
  })
}

const choose = (page: Page, plan: string) => page.getByRole('radio', { name: new RegExp(`^${plan}`) }).check()
const subscriptionsOf = async (db: Knex, username: string) =>
  await db('user_subscriptions')
    .join('users', 'users.id', 'user_subscriptions.userId')
    .where('users.username', username)
    .orderBy('user_subscriptions.id')
    .pluck('planId')

test('a new organizer creates an event by a promo code; the next plan is checked out', async ({ page, db }) => {
  await signUp(page, 'nora')
  await page.getByRole('link', { name: 'Create New Event' }).click()
  const alert = page.getByRole('alert')
  await expect(alert).toContainText('Subscription Required')
  await expect(alert).toContainText("You don't have an active subscription.")

  await page.getByRole('button', { name: 'Subscribe' }).click()
  await expect(page.getByText('Please choose a plan.')).toBeVisible()
  await choose(page, 'Single Event')
  await expect(page.locator('[data-total]')).toHaveText('$20.00')

  await page.getByRole('button', { name: 'Have a promo code?' }).click()
  const code = page.getByLabel('Promo code', { exact: true })
  const apply = page.getByRole('button', { name: 'Apply' })
  await expect(apply).toBeDisabled()
  await code.fill('nobody-knows')
  await expect(code).toHaveValue('NOBODY-KNOWS')
  await apply.click()
  await expect(page.getByText('This promo code is not valid.')).toBeVisible()
  await code.fill('floor50')
  await code.press('Enter')
  await expect(said(page, 'Promo code applied!')).toContainText(
    '50% discount - Half price for the first hundred organizers',
  )
  await expect(page.locator('[data-total]')).toHaveText('$10.00')
  await page.getByRole('button', { name: 'Close promo code' }).click()
  await expect(page.locator('[data-total]')).toHaveText('$20.00')
  await page.getByRole('button', { name: 'Have a promo code?' }).click()
  await expect(code).toHaveValue('')
  await code.fill('beacon100')
  await apply.click()
  await expect(page.locator('[data-total]')).toHaveText('$0.00')
  await page.getByRole('button', { name: 'Activate Free Subscription' }).click()
  await expect(said(page, 'Free subscription activated!')).toBeVisible()
  await expect(page.getByLabel('Event Name'), 'the form takes the place of the plans').toBeVisible()

  await createEvent(page, { name: 'Nora’s first evening' })
  await page.goto('/dashboard')
  await expect(page.getByText('1 of 1 event used')).toBeVisible()
  await expect(page.getByText('Limit reached. You have used the 1 event in your plan.')).toBeVisible()

  await page.goto('/checkout')
  await page.waitForURL('**/pricing')
  await page.goto('/checkout?planId=99')
  await expect(page.getByRole('heading', { name: 'Invalid Plan' })).toBeVisible()
  await page.getByRole('link', { name: 'Back to Pricing' }).click()
  const plans = page.getByRole('main').getByRole('list').first().locator(':scope > li')
  await expect(plans.nth(0)).toContainText('Current Plan')
  await expect(plans.nth(1)).toContainText('Most Popular')
  await expect(plans.nth(0).getByRole('link', { name: 'Get Started' }), 'used up: it may be taken again').toBeVisible()
  await plans.nth(1).getByRole('link', { name: 'Get Started' }).click()
  await page.waitForURL('**/checkout?planId=2')
  for (const text of ['Multi Event', '$49', '365 days', 'Demo: no card is charged'])
    await expect(page.getByText(text, { exact: true }).first()).toBeVisible()
  await page.getByRole('link', { name: 'Cancel' }).click()
  await page.waitForURL('**/pricing')
  await page.goBack()
  await page.getByRole('button', { name: 'Activate Multi Event' }).click()
  await expect(page.getByRole('heading', { name: 'Payment Successful!' })).toBeFocused()
  await page.waitForURL('**/dashboard')
  await expect(page.getByText('0 of 3 events used')).toBeVisible()
  expect(await subscriptionsOf(db, 'nora')).toEqual([1, 2])

  await page.goto('/billing-history')
  const entries = page.getByRole('main').getByRole('listitem')
  await expect(entries).toHaveCount(2)
  await expect(entries.nth(0)).toContainText(/Multi Event.*\$49Paid/)
  await expect(entries.nth(1)).toContainText(/Single Event.*Promo code BEACON100.*\$0Paid/)
  await expect(page.getByText('Sample data')).toHaveCount(0)
})

test('the dashboard tells of a plan that ends, is over or used up; samples say what they are @nightly', async ({
  page,
  db,
}) => {
  await signIn(page, otto)
  await expect(page.getByText('Limit reached. You have used all 3 events in your plan.')).toBeVisible()
  await page.waitForFunction(() => localStorage.getItem('plans') !== null)
  await page.route('**/api/subscription-plans', (route) => route.abort())
  await page.goto('/pricing')
  await expect(
    page.getByRole('heading', { name: 'Unlimited' }),
    'plans never looked at, without an answer',
  ).toBeVisible()
  await page.unroute('**/api/subscription-plans')
  await page.goto('/dashboard')
  await letPlanEndIn(db, 'otto', 7 * dayMs - 60_000)
  await expect(page.getByText('Expires Soon')).toBeVisible()
  await expect(page.getByText(/^7 days left, until /)).toBeVisible()
  await expect(page.getByRole('link', { name: 'Extend Subscription' })).toHaveAttribute('href', '/pricing')
  await letPlanEndIn(db, 'otto', -dayMs)
  await expect(page.getByText('Expired', { exact: true })).toBeVisible()
  await expect(page.getByText(/Limit reached\. Your subscription expired on /)).toBeVisible()
  await expect(page.getByRole('link', { name: 'Renew Subscription' })).toBeVisible()

  await page.goto('/billing-history')
  await expect(page.getByText('Sample data')).toBeVisible()
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(2)

  await page.goto('/subscription')
  await expect(page.getByRole('heading', { name: 'Upgrade Your Plan' })).toBeVisible()
  await choose(page, 'Unlimited')
  await db('sessions').update({ expiresAt: new Date(0) })
  // The page may notice by itself, and then its question lies over the button.
  await page.getByRole('button', { name: 'Subscribe' }).dispatchEvent('click')
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await expect(page.getByText('Please log in to view your subscription.')).toBeVisible()
  await expect(page.getByRole('radio', { name: /^Unlimited/ }), 'what was chosen is still there').toBeChecked()
})

test('an order whose answer is lost is made once @nightly', async ({ page, db }) => {
  await signIn(page, olivia)
  await page.goto('/pricing')
  await expect(page.getByText('Current Plan')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Get Started' }), 'hers is active and has room').toBeDisabled()

  await page.goto('/checkout?planId=1&promoCode=WELCOME20')
  await expect(page.getByText('20% discount: 20% off your first plan')).toBeVisible()
  await expect(page.locator('[data-total]')).toHaveText('$16.00')
  await page.route('**/api/create-subscription', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await page.getByRole('button', { name: 'Activate Single Event' }).click()
  await expect(page.getByRole('alert')).toContainText('Could not connect to payment service.')
  await page.unroute('**/api/create-subscription')
  await page.reload()
  await expect(page.locator('[data-total]')).toHaveText('$16.00')
  await page.getByRole('button', { name: 'Activate Single Event' }).click()
  await expect(page.getByRole('heading', { name: 'Payment Successful!' })).toBeVisible()
  expect(await subscriptionsOf(db, 'olivia')).toEqual([3, 1])
  expect(await db('promo_codes').where({ code: 'WELCOME20' }).pluck('currentUses')).toEqual([2])
})

test('a visitor reads that plans did not load, then the plans, and signs up to one of them @nightly', async ({
  page,
}) => {
  await page.goto('/checkout-status?planId=1&payment_intent=pi_1&payment_intent_client_secret=pi_1_secret')
  await expect(page.getByText('Could not initialize payment provider. Please try again.')).toBeVisible()
  expect(new URL(page.url()).search, 'what a card payment comes back with leaves the address bar').toBe('')
  await page.getByRole('link', { name: 'Return Home' }).click()
  await expect(page).toHaveURL(/\/$/)

  await page.route('**/api/subscription-plans', (route) => route.abort())
  await page.goto('/pricing')
  await expect(page.getByRole('alert')).toContainText('Unable to load subscription plans.')
  await page.unroute('**/api/subscription-plans')
  await page.getByRole('button', { name: 'Try Again' }).click()
  await page.getByRole('link', { name: 'Sign Up to Subscribe' }).nth(2).click()
  await page.waitForURL('**/auth#sign-up')
  await fillInSignUp(page, 'nora')
  await page.waitForURL('**/checkout?planId=3')
  await expect(page.getByRole('button', { name: 'Activate Unlimited' })).toBeVisible()
})

test.describe('where cards are charged', () => {
  test.use({ serverEnv: { DEMO_MODE: '0' } })

  test('a plan is not given away: the way leads to the checkout, which says what is missing', async ({ page, db }) => {
    await signUp(page, 'nora')
    await page.goto('/subscription')
    await expect(page.getByText('No Active Subscription')).toBeVisible()
    await choose(page, 'Multi Event')
    await expect(page.getByText('Demo: no card is charged')).toHaveCount(0)
    await page.getByRole('button', { name: 'Subscribe' }).click()
    await page.waitForURL('**/checkout?planId=2')
    await expect(page.getByRole('alert')).toContainText('Could not initialize payment. Please try again.')
    await page.getByRole('link', { name: 'Cancel' }).click()
    await page.waitForURL('**/pricing')
    expect(await subscriptionsOf(db, 'nora')).toEqual([])
  })
})
