import type { Page, Route } from 'playwright/test'
import { busiestEvent, button, card, underWay, view } from '../applications/applicants.ts'
import { fillInEvent } from '../events/event-form.ts'
import {
  comeToDashboard,
  expect,
  expectLinks,
  holdBack,
  olivia,
  otto,
  pressSignOut,
  said,
  signIn,
  test,
} from '../journey.ts'
import { letPhoneFillUp } from '../queue/full-phone.ts'

const noRoom = 'Error: This device has no room left'

/** A message in sight says this; it is closed, because it lies over what is pressed next on a phone. */
async function expectSaid(page: Page, title: string, text = ''): Promise<void> {
  await expect(said(page, title)).toContainText(text)
  await said(page, title).getByRole('button', { name: 'Dismiss message' }).click()
}

/** Answers a call as our server does when it cannot. */
const refuse =
  (message: string, status = 422) =>
  (route: Route) =>
    route.fulfill({
      status,
      json: { code: 'invalid_input', message, requestId: 'conformance' },
      headers: { 'X-Beaconry': '1' },
    })

test('signing in, up and out say what went wrong or well, and what they are doing meanwhile', async ({ device }) => {
  const { page } = await device({ serviceWorkers: 'block' })
  await page.goto('/auth')
  const signInForm = page.getByRole('tabpanel', { name: 'Sign In' })
  await signInForm.getByLabel('Email').fill('not an address')
  await signInForm.getByLabel('Password', { exact: true }).fill('12345')
  await signInForm.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(signInForm.getByText('Please enter a valid email address')).toBeVisible()
  await expect(signInForm.getByText('Password must be at least 6 characters')).toBeVisible()

  const answerLogin = await holdBack(page, '**/api/login')
  await signInForm.getByLabel('Email').fill(olivia.email)
  await signInForm.getByLabel('Password', { exact: true }).fill('not her password')
  await signInForm.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Signing in...' })).toBeVisible()
  answerLogin()
  await expectSaid(page, 'Login failed')
  await page.unroute('**/api/login')

  await page.getByRole('tab', { name: 'Sign Up' }).click()
  const signUpForm = page.getByRole('tabpanel', { name: 'Sign Up' })
  const signUp = async (username: string, email: string, confirmed: string) => {
    await signUpForm.getByLabel('Username').fill(username)
    await signUpForm.getByLabel('Email').fill(email)
    await signUpForm.getByLabel('Password', { exact: true }).fill('long enough')
    await signUpForm.getByLabel('Confirm password').fill(confirmed)
    await signUpForm.getByRole('button').filter({ hasText: 'Create Account' }).click()
  }
  await signUp('no', 'nora@example.com', 'long enough, too')
  await expect(signUpForm.getByText('Username must be at least 3 characters')).toBeVisible()
  await expect(signUpForm.getByText("Passwords don't match")).toBeVisible()
  await expect(signUpForm.getByLabel('Confirm password')).toHaveAttribute('aria-invalid', 'true')
  const answerRegister = await holdBack(page, '**/api/register')
  await signUp('olivia', olivia.email, 'long enough')
  await expect(page.getByRole('button', { name: 'Creating account...' })).toBeVisible()
  answerRegister()
  await expectSaid(page, 'Registration failed')
  await page.unroute('**/api/register')
  await signUp('nora', 'nora@example.com', 'long enough')
  await expectSaid(page, 'Registration successful', 'Welcome to Beaconry, nora!')
  await comeToDashboard(page)

  await pressSignOut(page)
  await expectSaid(page, 'Logged out', 'You have been successfully logged out.')
  await signIn(page, olivia)
  await expectSaid(page, 'Login successful', 'Welcome back, olivia!')
})

test('what cannot be kept or sent says so, stays on the screen, and leaves later', async ({ context, page, db }) => {
  const { eventId: id, pending } = await busiestEvent(db)
  const [ana, ben] = pending
  await letPhoneFillUp(page)
  await signIn(page, olivia)
  await page.evaluate(() => sessionStorage.setItem('full', '1'))

  await page.goto('/events/create')
  await fillInEvent(page, { name: 'Lantern Walk' })
  await page.getByRole('button', { name: 'Create Event' }).click()
  await expectSaid(page, 'Creation Failed', noRoom)
  await expect(page.getByLabel('Event Name')).toHaveValue('Lantern Walk')

  await page.goto(`/events/edit/${id}`)
  await page.getByLabel('Event Name').fill('Another name')
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await expectSaid(page, 'Update Failed', noRoom)

  await page.goto(`/events/${id}/customize`)
  await page.getByLabel('Subject').fill('Welcome!')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expectSaid(page, 'Failed to update customization', noRoom)

  await page.goto(`/events/manage/${id}`)
  await button(page, ben, 'Approve').click()
  await expect(card(page, ben)).toContainText('not saved yet')
  await button(page, ben, 'Undo for').click()
  await expect(card(page, ben)).toContainText('Pending')
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete Event' }).click()
  await expectSaid(page, 'Failed to delete event: This device has no room left')
  expect(await db('events').where({ id })).toHaveLength(1)

  await view(page, ana)
  const note = page.getByLabel('Private note')
  await note.fill('Speaks Spanish.')
  await note.press('Tab')
  await expect(card(page, ana)).toContainText('not saved yet')
  await expect(note).toHaveValue('Speaks Spanish.')
  await page.evaluate(() => sessionStorage.removeItem('full'))
  await expect
    .poll(async () => (await db('applications').where({ id: ana.id }).first('note'))?.note)
    .toBe('Speaks Spanish.')
  // Its answer could be lost by going offline.
  await expect(card(page, ana)).not.toContainText(underWay)

  await context.setOffline(true)
  await page.goto('/events/create')
  await page.getByRole('button', { name: 'Create Event' }).click()
  await page.waitForURL(/\/customize$/)
  await expectSaid(page, 'Event Created', 'Set up beacon customization next!')

  await pressSignOut(page)
  await page.getByRole('button', { name: 'Send now, then sign out' }).click()
  await expectSaid(page, 'Logout failed', '1 change could not be sent now. You are still signed in')
  expect(await db('events').where({ name: 'Lantern Walk' })).toEqual([])
  await context.setOffline(false)
  await page.getByRole('button', { name: 'Send now, then sign out' }).click()
  await expectSaid(page, 'Logged out')
  expect(await db('events').where({ name: 'Lantern Walk' })).toHaveLength(1)
  expect(await db('sessions').where({ userId: 1, revokedAt: null })).toEqual([])
})

test('plans, promo codes and payments say what went wrong @nightly', async ({ device }) => {
  const { page } = await device({ serviceWorkers: 'block' })
  await signIn(page, otto)
  await page.goto('/subscription')
  await page.getByRole('radio', { name: /^Single Event/ }).check()
  await page.getByRole('button', { name: 'Have a promo code?' }).click()
  await page.getByLabel('Promo code', { exact: true }).fill('welcome20')
  await page.route('**/api/validate-promo-code', refuse('Too many codes. Please wait.', 429))
  await page.getByRole('button', { name: 'Apply' }).click()
  await expectSaid(page, 'Error validating promo code', 'Too many codes. Please wait.')
  await page.unroute('**/api/validate-promo-code')
  await page.getByRole('button', { name: 'Close promo code' }).click()
  await page.route('**/api/create-subscription', refuse('This plan is not for sale now.'))
  await page.getByRole('button', { name: 'Subscribe', exact: true }).click()
  await expectSaid(page, 'Subscription failed', 'This plan is not for sale now.')

  await page.goto('/checkout?planId=2')
  await page.getByRole('button', { name: 'Activate Multi Event' }).click()
  await expectSaid(page, 'Payment Failed', 'This plan is not for sale now.')
  await page.unroute('**/api/create-subscription')
  await page.getByRole('button', { name: 'Activate Multi Event' }).click()
  await expectSaid(page, 'Payment Successful', 'Your payment was successful and your subscription is now active.')
  await expect(page.getByRole('heading', { name: 'Payment Successful!' })).toBeVisible()
  await page.waitForURL('**/dashboard')

  await page.goto('/subscription')
  await page.getByRole('radio', { name: /^Single Event/ }).check()
  await page.getByRole('button', { name: 'Subscribe', exact: true }).click()
  await expectSaid(page, 'Subscription activated!')

  const answerHistory = async (entries: object[]) => {
    const answer = { json: { sample: false, entries }, headers: { 'X-Beaconry': '1' } }
    await page.route('**/api/billing-history', (route) => route.fulfill(answer))
    await page.goto('/billing-history')
  }
  await answerHistory([])
  await expectLinks(page, { 'View Subscription Plans': '/subscription' })
  const entry = { planName: 'Single Event', date: '2026-03-01T12:00:00.000Z', promoCode: null, amount: 2000 }
  await answerHistory(['paid', 'pending', 'failed'].map((status, id) => ({ ...entry, id, status })))
  const entries = page.getByRole('main').getByRole('listitem')
  await expect(entries).toHaveText([/\$20Paid/, /\$20Pending/, /\$20Failed/])
  await expect(entries.first()).toContainText('March 1, 2026')
})
