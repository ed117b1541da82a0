import { beaconQuestions, networkingTips, proTips } from '../../site/resources.ts'
import { ada, expect, expectLinks, olivia, otto, signIn, test } from '../journey.ts'

test.use({ serviceWorkers: 'block', viewport: { width: 1280, height: 800 } })

test('plans, profile and reading pages hold what is listed', async ({ device }) => {
  const visitor = await device()
  await visitor.page.goto('/pricing')
  const plans = visitor.page.getByRole('main').getByRole('list').first().locator(':scope > li')
  await expect(plans.getByRole('heading', { level: 2 })).toHaveText(['Single Event', 'Multi Event', 'Unlimited'])
  for (const link of await plans.getByRole('link', { name: 'Sign Up to Subscribe' }).all())
    await expect(link).toHaveAttribute('href', '/auth#sign-up')
  await visitor.page.goto('/resources')
  const part = (name: string) => visitor.page.getByRole('region', { name })
  await expect(part('Frequently Asked Questions').locator('summary')).toHaveText([
    /what is a beacon/i,
    /who should be/i,
    /recruit/i,
    /how do guests find/i,
    /why should i sign up/i,
  ])
  await expect(part('Networking Tips').getByRole('heading', { level: 3 })).toHaveCount(6)
  await expect(part('Pro Tips for Organizers').getByRole('heading', { level: 3 })).toHaveCount(4)
  expect([beaconQuestions.length, networkingTips.length, proTips.length]).toEqual([5, 6, 4])
  await visitor.page.goto('/checkout-status')
  await expectLinks(visitor.page, { 'Try Again': '/pricing', 'Return Home': '/' })

  const { page } = await device()
  await signIn(page, otto)
  const main = page.getByRole('main')
  await page.goto('/profile')
  await expectLinks(page, { 'Billing History': '/billing-history', 'Manage Subscription': '/manage-subscription' })
  for (const name of ['Edit Profile', 'Change Password', 'Download Data', 'Delete Account'])
    await expect(main.getByRole('button', { name })).toHaveAttribute('aria-disabled', 'true')
  await expect(main.getByText('Coming soon')).toBeVisible()
  await page.goto('/subscription')
  await expectLinks(page, { 'Create Event': '/create-event' })
  await page.goto('/manage-subscription')
  await expect(main.getByRole('button', { name: 'Cancel Subscription' })).toBeDisabled()

  await page.clock.install()
  await page.goto('/checkout?planId=2')
  await main.getByRole('button', { name: 'Activate Multi Event' }).waitFor()
  await page.clock.pauseAt(Date.now() + 3_600_000)
  await main.getByRole('button', { name: 'Activate Multi Event' }).click()
  await expect(page.getByRole('heading', { name: 'Payment Successful!' })).toBeVisible()
  await page.clock.runFor(2_999)
  await expect(page).toHaveURL(/\/checkout/)
  await page.clock.runFor(1)
  await page.waitForURL('**/dashboard')

  const admin = await device()
  await signIn(admin.page, ada)
  await admin.page.goto('/admin')
  const columns = admin.page.getByRole('table').getByRole('columnheader')
  await expect(columns).toHaveText(['Username', 'Email', 'Organization', 'Plan', 'Events', 'Created', 'Status'])
  await expect(admin.page.getByRole('button', { name: 'Export Data' })).toHaveAttribute('aria-disabled', 'true')
})

test('without a reason of the server a new event says that a subscription is needed', async ({ context, page }) => {
  // What the phone hears of the account, without the reason that our server always gives.
  const withoutReason = (text: string) =>
    text.replace(/("canCreate":)(true|false),"reason":(null|"[^"]*")/, '$1false,"reason":null')
  await context.route(/\/api\/sync\/pull\?/, async (route) => {
    try {
      const answer = await route.fetch()
      await route.fulfill({ response: answer, body: withoutReason(await answer.text()) })
    } catch {
      // The page was left before the answer came.
    }
  })
  await signIn(page, olivia)
  await page.goto('/events/create')
  await expect(page.getByRole('alert')).toContainText(
    'You need a subscription to create events. Please choose a subscription plan to continue.',
  )
})
