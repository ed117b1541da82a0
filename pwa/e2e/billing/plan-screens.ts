import type { Page } from 'playwright/test'
import type { Screen } from '../screens.ts'

async function visit(page: Page, path: string, arrived: () => Promise<void>): Promise<void> {
  await page.goto(path)
  await arrived()
  // Text in the fallback face has other widths.
  await page.evaluate(() => document.fonts.ready)
}

const text = (page: Page, words: string | RegExp) => page.getByText(words).first().waitFor()

/** What anybody sees of plans and payments. */
export const visitorPlanScreens: readonly Screen[] = [
  { name: 'pricing', open: (page) => visit(page, '/pricing', () => text(page, 'Sign Up to Subscribe')) },
  {
    name: 'checkout-status',
    open: (page) => visit(page, '/checkout-status', () => text(page, 'Payment information not found')),
  },
]

/** What an organizer whose plan has room sees of it. */
export const organizerPlanScreens: readonly Screen[] = [
  { name: 'pricing-signed-in', open: (page) => visit(page, '/pricing', () => text(page, 'Current Plan')) },
  {
    name: 'checkout',
    open: (page) =>
      visit(page, '/checkout?planId=2&promoCode=WELCOME20', () => text(page, '20% discount: 20% off your first plan')),
  },
  { name: 'checkout-invalid', open: (page) => visit(page, '/checkout?planId=99', () => text(page, 'Invalid Plan')) },
  { name: 'subscription', open: (page) => visit(page, '/subscription', () => text(page, /^Until /)) },
  {
    name: 'manage-subscription',
    open: (page) => visit(page, '/manage-subscription', () => text(page, 'You can create events')),
  },
  { name: 'billing-history', open: (page) => visit(page, '/billing-history', () => text(page, 'Sample data')) },
]

/** What an organizer whose plan is used up sees. */
export const usedUpScreens: readonly Screen[] = [
  { name: 'analytics-not-in-plan', open: (page) => visit(page, '/analytics', () => text(page, 'See Plans')) },
  { name: 'dashboard-limit', open: (page) => visit(page, '/dashboard', () => text(page, /^Limit reached/)) },
  {
    name: 'create-subscription-required',
    open: (page) =>
      visit(page, '/events/create', async () => {
        await page.getByRole('radio', { name: /^Unlimited/ }).check()
        await page.getByRole('button', { name: 'Have a promo code?' }).click()
        await page.getByLabel('Promo code', { exact: true }).fill('SPRING10')
        await page.getByRole('button', { name: 'Apply' }).click()
        await text(page, 'This promo code has expired.')
      }),
  },
  {
    name: 'subscription-limit',
    open: (page) =>
      visit(page, '/subscription', () => page.getByRole('button', { name: 'Subscribe', exact: true }).waitFor()),
  },
  {
    name: 'manage-subscription-limit',
    open: (page) => visit(page, '/manage-subscription', () => text(page, 'Upgrade Plan')),
  },
]
