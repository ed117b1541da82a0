import { ada, expect, expectLinks, olivia, otto, signIn, test } from '../journey.ts'

test.use({ serviceWorkers: 'block', viewport: { width: 1280, height: 800 } })

test('pages about plans lead to each other, and what is not on offer cannot be pressed @nightly', async ({
  page,
  device,
}) => {
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

  const admin = await device()
  await signIn(admin.page, ada)
  await admin.page.goto('/admin')
  await expect(admin.page.getByRole('button', { name: 'Export Data' })).toHaveAttribute('aria-disabled', 'true')
})

test('without a reason of the server a new event says that a subscription is needed @nightly', async ({
  context,
  page,
}) => {
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
