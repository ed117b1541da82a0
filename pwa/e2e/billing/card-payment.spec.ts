import type { Knex } from 'knex'
import type { Page } from 'playwright/test'
import { expect, said } from '../journey.ts'
import { fillInSignUp, signUp } from '../accounts/sign-up.ts'
import { fillInEvent } from '../events/event-form.ts'
import { cards, payButton, pressPay, test, typeCard } from './stripe-stage.ts'

test.use({ serviceWorkers: 'block' })

const success = (page: Page) => page.getByRole('heading', { name: 'Payment Successful!' })

/** What the database says was charged to a card, or was tried to, and what was given for it. */
async function books(db: Knex) {
  return {
    payments: await db('payments')
      .where({ attempted: true })
      .orderBy('id')
      .select('status', 'amountCents', 'promoCode', 'planId'),
    subscriptions: await db('user_subscriptions').orderBy('id').pluck('planId'),
  }
}

const paidOnce = (planId: number, amountCents: number, promoCode: string | null = null) => ({
  payments: [{ status: 'paid', amountCents, promoCode, planId }],
  subscriptions: [planId],
})

test('a good card pays the promised price, and the plan is on the dashboard', async ({ payer, db, complaints }) => {
  await db('promo_codes').insert({
    code: 'LESS20',
    description: '20% off your first plan',
    discountValue: 20,
    validFrom: new Date(0),
  })
  const { page } = await payer()
  await page.goto('/pricing')
  await page.getByRole('link', { name: 'Sign Up to Subscribe' }).nth(1).click()
  await fillInSignUp(page, 'nora')
  await page.waitForURL('**/checkout?planId=2')
  await expect(page.getByRole('heading', { name: 'Checkout' })).toBeVisible()
  await expect(payButton(page)).toBeEnabled()
  // By keyboard, as Pay is pressed: a click may land in the frame of the form that is just being laid out.
  await page.getByRole('link', { name: 'Cancel' }).press('Enter')
  await page.waitForURL('**/pricing')
  expect(await page.evaluate(() => 'Stripe' in window), 'the script stays in its own document').toBe(false)

  await page.goto('/events/create')
  await fillInEvent(page, { name: 'Quay Mixer' })
  await page.getByRole('button', { name: 'Create Event' }).click()
  await page.getByRole('radio', { name: /^Multi Event/ }).check()
  await page.getByRole('button', { name: 'Have a promo code?' }).click()
  await page.getByLabel('Promo code', { exact: true }).fill('less20')
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect(said(page, 'Promo code applied!')).toBeVisible()
  await expect(page.getByText('After it your event is on the dashboard, ready to publish.')).toBeVisible()
  await page.getByRole('button', { name: 'Subscribe', exact: true }).click()
  await page.waitForURL('**/checkout?planId=2&promoCode=LESS20')
  await expect(payButton(page)).toHaveText('Pay $39.20')
  // The code is held by this very payment.
  await page.reload()
  for (const text of ['Multi Event', '$49', '365 days', '3'])
    await expect(page.getByText(text, { exact: true }).first()).toBeVisible()
  await expect(page.locator('[data-total]')).toHaveText('$39.20')
  await expect(payButton(page)).toHaveText('Pay $39.20')
  await expect(page.getByText('nora@example.com')).toBeVisible()

  await typeCard(page, cards.good)
  await pressPay(page)
  await expect(success(page)).toBeFocused()
  await expect(page.getByText('Your subscription is now active. Taking you to your dashboard.')).toBeVisible()
  await expect(said(page, 'Payment Successful')).toContainText(
    'Your payment was successful and your subscription is now active.',
  )
  await page.waitForURL('**/dashboard')
  await expect(page.getByText('0 of 3 events used')).toBeVisible()
  expect(await books(db)).toEqual(paidOnce(2, 3920, 'LESS20'))
  await page.getByRole('link', { name: 'Quay Mixer' }).click()
  await page.getByRole('button', { name: 'Create Event' }).click()
  await page.waitForURL('**/customize')
  expect(complaints).toEqual([])
})

test('a declined card says why, an empty field is shown, another card pays @nightly', async ({
  payer,
  db,
  complaints,
}) => {
  const { page } = await payer()
  await signUp(page, 'nora')
  await page.goto('/checkout?planId=1')
  await expect(payButton(page)).toBeVisible()
  await pressPay(page)
  const form = page.frameLocator('iframe[title="Secure payment input frame"]')
  await expect(form.getByText('Your card number is incomplete.')).toBeVisible()
  await expect(said(page, 'Payment Failed')).toHaveCount(0)

  await typeCard(page, cards.declined)
  await pressPay(page)
  await expect(said(page, 'Payment Failed')).toContainText('Your card was declined.')
  await expect(page.getByRole('alert').filter({ hasText: 'Your card was declined.' })).toContainText(
    'Nothing was charged.',
  )
  expect((await books(db)).subscriptions).toEqual([])
  await typeCard(page, cards.good)
  await pressPay(page)
  await expect(success(page)).toBeVisible()
  await page.waitForURL('**/dashboard')
  expect(await books(db)).toEqual(paidOnce(1, 2000))
  await page.goto('/billing-history')
  await expect(page.getByRole('main').getByRole('listitem')).toHaveText([/Single Event.*\$20Paid/])
  expect(complaints).toEqual([])

  await page.goto('/checkout?planId=2')
  await expect(payButton(page)).toBeVisible()
  const reported = page.waitForRequest('**/api/errors')
  await page.evaluate(() => {
    const fail = () => {
      throw new TypeError('of the checkout')
    }
    Object.defineProperty(document.documentElement, 'dataset', { get: fail })
  })
  await page.emulateMedia({ colorScheme: 'dark' })
  const { errors } = (await reported).postDataJSON() as { errors: object[] }
  expect(errors).toMatchObject([{ name: 'TypeError', screen: '/checkout' }])
})

test('without the provider nothing is charged; then the same payment @nightly', async ({
  payer,
  server,
  stripe,
  db,
}) => {
  const { page, context } = await payer({ serviceWorkers: 'allow' })
  await signUp(page, 'nora')
  const unreachable = page.getByRole('alert').filter({ hasText: 'Could not connect to payment service.' })
  const again = page.getByRole('button', { name: 'Try Again' })

  await context.route('https://js.stripe.com/**', (route) => route.abort())
  await page.goto('/checkout?planId=1')
  await expect(unreachable).toBeVisible()
  await context.unroute('https://js.stripe.com/**')
  await context.route('https://api.stripe.com/**', (route) => route.abort())
  await again.click()
  await expect(unreachable).toContainText('The card form did not load.')
  await context.unroute('https://api.stripe.com/**')
  await again.click()
  await typeCard(page, cards.good)

  await context.route('https://api.stripe.com/**', (route) => route.abort())
  await pressPay(page)
  await expect(said(page, 'Payment Failed')).toContainText('Could not connect to payment service.')
  await expect(unreachable).toContainText('it is the same payment, and nothing is charged twice')
  await context.unroute('https://api.stripe.com/**')
  stripe.trouble('answer lost', { path: '/confirm' })
  await pressPay(page)
  await expect(success(page), 'asked about, it turns out to be paid').toBeVisible()
  await page.waitForURL('**/dashboard')
  expect(await books(db)).toEqual(paidOnce(1, 2000))

  await page.goto('/checkout?planId=1')
  await expect(success(page), 'what was paid just now is not paid again').toBeVisible()
  await page.goto('/pricing')
  await page.locator('a[href="/checkout?planId=2"]').click()
  await page.waitForURL('**/checkout?planId=2')
  await expect(payButton(page)).toBeVisible()
  await server.kill()
  await page.reload()
  await expect(page.getByText('No connection right now'), 'the app stands in').toBeVisible()
  await expect(page.getByText('365 days')).toBeVisible()
  await server.start()
  await expect(payButton(page), 'it goes on by itself').toBeVisible()
})

test('a payment at the bank leaves no trace behind @nightly', async ({ payer, db, stripe, server, complaints }) => {
  const { page, context } = await payer()
  await signUp(page, 'nora')
  const payAtBank = async (answer: 'Complete' | 'Fail') => {
    await page.goto('/checkout?planId=3')
    await typeCard(page, cards.needsAuthentication)
    await pressPay(page)
    await page.getByRole('button', { name: `${answer} authentication` }).click()
    await page.waitForURL('**/checkout-status?planId=3')
  }
  await payAtBank('Fail')
  await expect(page.getByRole('heading', { name: 'Payment Failed' })).toBeVisible()
  await expect(page.getByText('Payment was not completed. Status: requires_payment_method')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Return Home' })).toHaveAttribute('href', '/')
  await page.getByRole('link', { name: 'Try Again' }).click()
  await page.waitForURL('**/pricing')

  await payAtBank('Complete')
  await expect(success(page)).toBeVisible()
  await expect(page.getByText('Your payment was successful and your subscription is now active.').first()).toBeVisible()
  const devtools = await context.newCDPSession(page)
  const { entries } = (await devtools.send('Page.getNavigationHistory')) as { entries: { url: string }[] }
  const ours = entries.map(({ url }) => url).filter((url) => url.startsWith(server.origin))
  expect(ours.length).toBeGreaterThan(3)
  expect(ours.filter((url) => url.includes('payment_intent'))).toEqual([])
  expect(server.output()).not.toContain('_secret_')

  await page.reload()
  await expect(page.getByText('Payment information not found. Please try again.')).toBeVisible()
  const { id, client_secret: secret } = stripe.intents()[0]!
  const address = `/checkout-status?payment_intent=${id}&payment_intent_client_secret=${secret}`
  await page.goto(address.replace(secret, `${secret}x`))
  await expect(page.getByText('An error occurred while checking payment status. Please contact support.')).toBeVisible()
  await context.route('https://js.stripe.com/**', (route) => route.abort())
  await page.goto(address)
  await expect(page.getByText('Could not initialize payment provider. Please try again.')).toBeVisible()
  await context.unroute('https://js.stripe.com/**')
  await page.getByRole('button', { name: 'Check Again' }).click()
  await expect(success(page)).toBeVisible()
  await page.getByRole('link', { name: 'Go to Dashboard' }).click()
  await page.waitForURL('**/dashboard')
  expect(await books(db)).toEqual(paidOnce(3, 14_900))
  expect(complaints).toEqual([])
})

test('two presses and a reload in between are one payment and one plan @nightly', async ({ payer, db, stripe }) => {
  const { page } = await payer()
  await signUp(page, 'nora')
  await page.goto('/checkout?planId=2')
  await typeCard(page, cards.good)
  // Whoever reloads now does not know yet whether the card was charged.
  let reached = () => {}
  const confirmed = new Promise<void>((resolve) => (reached = resolve))
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  const confirms: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/confirm')) confirms.push(request.url())
  })
  stripe.sendEventsTo(null)
  stripe.beforeAnswer('/confirm', async () => {
    reached()
    await held
  })
  await payButton(page).evaluate((button: HTMLElement) => {
    button.click()
    button.click()
  })
  await confirmed
  await expect(page.getByRole('button', { name: 'Processing...' })).toBeVisible()
  await page.reload()
  await expect(success(page)).toBeVisible()
  release()
  await page.waitForURL('**/dashboard')
  await expect(page.getByText('0 of 3 events used')).toBeVisible()
  expect(await books(db)).toEqual(paidOnce(2, 4900))
  expect(confirms, 'the second press asked for nothing').toHaveLength(1)
  expect(stripe.events.filter(({ type }) => type === 'payment_intent.succeeded')).toHaveLength(1)
  expect(stripe.intents()).toHaveLength(1)
})
