import type { BrowserContext, BrowserContextOptions, Frame, Page } from 'playwright/test'
import { startStripeService, type StripeService } from '../../../sync-server/testing/stripe-service.ts'
import { test as base, type PersonalDevice } from '../journey.ts'

/** Numbers that Stripe gives out for tests. */
export const cards = {
  good: '4242 4242 4242 4242',
  declined: '4000 0000 0000 0002',
  needsAuthentication: '4000 0025 0000 3155',
} as const

interface Stage {
  /** A Stripe on loopback, which our server calls and which tells it what happens. */
  stripe: StripeService
  /** A device whose browser finds that Stripe under Stripe's own addresses. */
  payer(options?: BrowserContextOptions): Promise<PersonalDevice>
  /** What the pages' policies stopped, and what went wrong in them unseen. */
  complaints: string[]
}

/** Settings of a server that charges cards at this service. */
const chargingCards = ({ origin, webhookSecret }: StripeService): Record<string, string> => ({
  DEMO_MODE: '0',
  STRIPE_SECRET_KEY: 'sk_test_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
  STRIPE_WEBHOOK_SECRET: webhookSecret,
  STRIPE_API_ORIGIN: origin,
})

/** A journey on a server that charges cards. The page's policy is the one people get: Stripe's names are answered by the test. */
export const test = base.extend<Stage>({
  stripe: async ({}, use) => {
    const stripe = await startStripeService({ webhookSecret: 'whsec_test' })
    await use(stripe)
    await stripe.close()
  },
  serverEnv: async ({ stripe }, use) => use(chargingCards(stripe)),
  complaints: async ({}, use) => use([]),
  payer: async ({ device, server, stripe, complaints }, use) => {
    stripe.sendEventsTo(`${server.origin}/api/stripe/webhook`)
    await use(async (options) => {
      const payer = await device(options)
      await reachStripe(payer.context, stripe)
      listenForComplaints(payer.page, complaints)
      return payer
    })
  },
})

/** Answers Stripe's addresses from the service. */
async function reachStripe(context: BrowserContext, stripe: StripeService): Promise<void> {
  await context.route(/^https:\/\/(js|api|hooks)\.stripe\.com\//, async (route) => {
    const { pathname, search } = new URL(route.request().url())
    try {
      await route.fulfill({ response: await route.fetch({ url: stripe.origin + pathname + search }) })
    } catch {
      await route.abort('connectionrefused').catch(() => undefined)
    }
  })
}

function listenForComplaints(page: Page, complaints: string[]): void {
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
}

/** The frame of the card form, once it can be typed into. */
async function cardFrame(page: Page): Promise<Frame> {
  const handle = await page.locator('iframe[title="Secure payment input frame"]').elementHandle()
  const frame = await handle?.contentFrame()
  if (!frame) throw new Error('there is no card form')
  return frame
}

/** Types a card into the provider's form. */
export async function typeCard(page: Page, number: string): Promise<void> {
  const frame = await cardFrame(page)
  await frame.getByLabel('Card number').fill(number)
  await frame.getByLabel('Expiration date').fill('12 / 34')
  await frame.getByLabel('Security code').fill('123')
}

/** The button that charges the card, when it can be pressed. */
export const payButton = (page: Page) => page.getByRole('button', { name: /^Pay \$/, disabled: false })

/**
 * Presses Pay, by the keyboard: after a scroll the browser of a busy machine still takes a press of the mouse for one on the
 * frame that stood there.
 */
export async function pressPay(page: Page): Promise<void> {
  await payButton(page).press('Enter')
}
