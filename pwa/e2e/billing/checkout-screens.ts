import type { Page } from 'playwright/test'
import type { Screen } from '../screens.ts'
import { cards, payButton, pressPay, typeCard } from './stripe-stage.ts'

const visit = async (page: Page, path: string, arrived: () => Promise<void>): Promise<void> => {
  await page.goto(path)
  await arrived()
  await page.evaluate(() => document.fonts.ready)
}

/** Pays at the bank's page, and comes back. */
async function comeBack(page: Page, answer: 'Complete' | 'Fail'): Promise<void> {
  await page.goto('/checkout?planId=3')
  await payButton(page).waitFor()
  await typeCard(page, cards.needsAuthentication)
  await pressPay(page)
  await page.getByRole('button', { name: `${answer} authentication` }).click()
  await page.waitForURL('**/checkout-status?planId=3')
}

/** The checkout document as somebody signed in sees it who has no plan. The last one pays. */
export const checkoutScreens: readonly Screen[] = [
  { name: 'card-checkout', open: (page) => visit(page, '/checkout?planId=2', () => payButton(page).waitFor()) },
  {
    name: 'card-declined',
    open: (page) =>
      visit(page, '/checkout?planId=2', async () => {
        await payButton(page).waitFor()
        await typeCard(page, cards.declined)
        await pressPay(page)
        await page.getByRole('alert').filter({ hasText: 'Your card was declined.' }).waitFor()
      }),
  },
  {
    name: 'card-provider-unreachable',
    open: async (page) => {
      await page.route('https://js.stripe.com/**', (route) => route.abort())
      await visit(page, '/checkout?planId=2', () => page.getByText('Could not connect to payment service.').waitFor())
      await page.unroute('https://js.stripe.com/**')
    },
  },
  {
    name: 'card-invalid-plan',
    open: (page) =>
      visit(page, '/checkout?planId=99', () => page.getByRole('heading', { name: 'Invalid Plan' }).waitFor()),
  },
  {
    name: 'card-failed-at-bank',
    open: async (page) => {
      await comeBack(page, 'Fail')
      await page.getByRole('heading', { name: 'Payment Failed' }).waitFor()
    },
  },
  {
    name: 'card-paid-at-bank',
    open: async (page) => {
      await comeBack(page, 'Complete')
      await page.getByRole('heading', { name: 'Payment Successful!' }).waitFor()
    },
  },
]
