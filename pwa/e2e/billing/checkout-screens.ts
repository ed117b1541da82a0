import type { Page } from 'playwright/test'
import { screen, see, type Screen } from '../screen.ts'
import { cards, payButton, pressPay, typeCard } from './stripe-stage.ts'

/** Pays at the bank's page, and comes back. */
const comeBack = (answer: 'Complete' | 'Fail') => async (page: Page) => {
  await payButton(page).waitFor()
  await typeCard(page, cards.needsAuthentication)
  await pressPay(page)
  await page.getByRole('button', { name: `${answer} authentication` }).click()
  await page.waitForURL('**/checkout-status?planId=3')
}

async function payDeclined(page: Page): Promise<void> {
  await typeCard(page, cards.declined)
  await pressPay(page)
}

const provider = 'https://js.stripe.com/**'

async function withoutProvider(page: Page): Promise<string> {
  await page.route(provider, (route) => route.abort())
  return '/checkout?planId=2'
}

/** The checkout document as somebody signed in sees it who has no plan. The last one pays. */
export const checkoutScreens: readonly Screen[] = [
  screen('card-checkout', '/checkout?planId=2', payButton),
  screen('card-declined', '/checkout?planId=2', payButton, payDeclined, (page) =>
    page.getByRole('alert').filter({ hasText: 'Your card was declined.' }),
  ),
  screen('card-provider-unreachable', withoutProvider, 'Could not connect to payment service.', (page) =>
    page.unroute(provider),
  ),
  screen('card-invalid-plan', '/checkout?planId=99', see('heading', 'Invalid Plan')),
  screen('card-failed-at-bank', '/checkout?planId=3', comeBack('Fail'), see('heading', 'Payment Failed')),
  screen('card-paid-at-bank', '/checkout?planId=3', comeBack('Complete'), see('heading', 'Payment Successful!')),
]
