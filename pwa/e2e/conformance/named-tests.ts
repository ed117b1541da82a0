import { inTest } from './proofs.ts'

const folder = 'pwa/e2e/conformance'
export const around = inTest(
  `${folder}/around-every-screen.spec.ts`,
  'header, menu and footer offer everyone what is theirs, and every link leads to its page',
)
export const guard = inTest(
  `${folder}/around-every-screen.spec.ts`,
  'a protected page shows a spinner while the user is loading, and sends a visitor to sign in',
)
export const sessionOver = inTest(
  `${folder}/around-every-screen.spec.ts`,
  'login-required messages stand on every screen of an account whose session has ended',
)
export const search = inTest(
  `${folder}/looking-for-events.spec.ts`,
  'the list of events is searched by text, state, ZIP code and distance, and Clear Filters takes it all back',
)
export const emptyList = inTest(
  `${folder}/looking-for-events.spec.ts`,
  'a list without events and a list that cannot be fetched say so',
)
export const oneEvent = inTest(
  `${folder}/looking-for-events.spec.ts`,
  'an event shows what, when, where and who, and leads to its application, whose fields are of their kind',
)
export const editing = inTest(
  `${folder}/organizing.spec.ts`,
  'the dashboard counts for each event and leads to it; an edit is filled in, says Saving... and comes back',
)
export const managing = inTest(
  `${folder}/organizing.spec.ts`,
  'an event is managed: details, counts, what one applicant wrote, every decision, and a delete that asks',
)
export const customizing = inTest(
  `${folder}/organizing.spec.ts`,
  'questions are added with Enter and removed, Cancel leaves at once, Save after 1.5 s',
)
export const signing = inTest(
  `${folder}/failures-and-successes.spec.ts`,
  'signing in, up and out say what went wrong and what went well, and what they are doing meanwhile',
)
export const applying = inTest(
  `${folder}/failures-and-successes.spec.ts`,
  'an application that cannot be kept is said to have failed; sent, it says so and leads back to the event',
)
export const paying = inTest(
  `${folder}/failures-and-successes.spec.ts`,
  'plans, promo codes, payments and the test email say what went wrong',
)
export const reading = inTest(
  `${folder}/facts-on-screens.spec.ts`,
  'plans, profile and reading pages hold what is listed',
)
export const newOrganizer = inTest(
  'pwa/e2e/billing/plans.spec.ts',
  'a new organizer is told to subscribe, uses a promo code, and creates an event; the next plan is checked out',
)
export const plansKept = inTest(
  'pwa/e2e/billing/plans.spec.ts',
  'plans are read without a server; an order whose answer is lost is made once',
)
export const builder = inTest(
  'pwa/e2e/events/event-builder.spec.ts',
  'an event written without an account is published after signing up and choosing a plan, and its draft is gone only then',
)
export const landing = inTest(
  'pwa/e2e/site/public-pages.spec.ts',
  'the landing page offers a visitor to begin, and an organizer to go on',
)
export const oldAddresses = inTest(
  'pwa/e2e/site/public-pages.spec.ts',
  'the header marks Events on the public pages of events only, and older addresses lead to where pages are now',
)
export const publicPage = inTest(
  'pwa/e2e/site/public-pages.spec.ts',
  'what the server says of a page is what the page says of itself, also when one comes to it by a link',
)
export const applyValues = inTest('pwa/applications/apply-form-values.test.ts', 'the apply form')
const called = inTest(
  'sync-server/calls/specified-calls.pg.test.ts',
  'answers each kind of person as it is listed',
  'sync-server/testing/specified-calls.ts',
)
/** A call has its row. */
export const call = (name: string) => called(`'${name}'`)
export const noRoom = inTest(
  `${folder}/failures-and-successes.spec.ts`,
  'what cannot be kept or sent is said to have failed, and stays on the screen',
)
export const planNeeds = inTest(
  'pwa/e2e/billing/plans.spec.ts',
  'the plan on the dashboard tells what it needs: soon, over, used up; sample payments say what they are',
)
export const theme = inTest(
  'pwa/e2e/site/messages.spec.ts',
  'the theme is kept under "theme", follows the device, and changes in every tab at once',
)
export const toastTime = inTest(
  'pwa/e2e/site/messages.spec.ts',
  'a message closes after 5 seconds, and a new one replaces it',
)
export const toastReach = inTest(
  'pwa/e2e/site/messages.spec.ts',
  'a message goes with a swipe to the right of 50 px, F8 leads to it, and it is at most 420 px wide',
)
export const draftTime = inTest(
  'pwa/e2e/site/messages.spec.ts',
  'a draft is saved for half a second; a hint comes after 700 ms, and the next one within 300 ms at once',
)
export const paymentCheck = inTest('pwa/billing/checkout/payment-check.test.ts', 'what became of a card payment')
export const goodCard = inTest(
  'pwa/e2e/billing/card-payment.spec.ts',
  'a good card pays for the plan, which is on the dashboard; what was carried over makes the price',
)
export const declinedCard = inTest(
  'pwa/e2e/billing/card-payment.spec.ts',
  'a declined card says why and charges nothing; another card pays; a field left empty is shown in the form',
)
export const noProvider = inTest(
  'pwa/e2e/billing/card-payment.spec.ts',
  'without the provider nothing is charged: its script, its form, its answer; the way on is the same payment',
)
export const atTheBank = inTest(
  'pwa/e2e/billing/card-payment.spec.ts',
  'a payment confirmed at the bank comes back without a trace in the address bar or the history',
)
export const paidOnce = inTest(
  'pwa/e2e/billing/card-payment.spec.ts',
  'two presses and a reload in the middle are one payment and one subscription',
)
export const signUpValues = inTest('pwa/accounts/forms/sign-up-form.test.ts', 'the sign-up form')
export const eventValues = inTest('pwa/events/form/event-form-values.test.ts', 'the event form')
export const planTexts = inTest('shared/billing/plan.test.ts', 'the texts of a plan')
export const tiers = inTest('shared/billing/plan.test.ts', 'tiers')
export const money = inTest('shared/billing/plan.test.ts', 'money')
export const daysLeft = inTest('shared/billing/plan.test.ts', 'how long a subscription still runs')
export const days = inTest('shared/time/event-time.test.ts', 'on a machine in')
export const deciding = inTest('sync-server/applications/decide-application.pg.test.ts', 'deciding')
export const approveOffline = inTest(
  'pwa/e2e/applications/approve-offline.spec.ts',
  'everything an organizer does with the server dead arrives exactly once, by itself, and shows on a second device',
)
export const marksOffline = inTest(
  'pwa/e2e/events/organizer-offline.spec.ts',
  'notes, stars, arrivals, a decision about many and an event from a template, made with the server dead, arrive once',
)
export const restOffline = inTest(
  `${folder}/arrives-later.spec.ts`,
  'an event deleted, edited, customized and closed, and a rejection nobody is told of, made with the server dead, arrive once',
)
export const pagesOffline = inTest(
  `${folder}/arrives-later.spec.ts`,
  'each public page of events, plans and accounts opens with the server dead once it was visited',
)
export const readOffline = inTest(
  'pwa/e2e/site/public-pages.spec.ts',
  'a page that was read opens again without a network, and so does every other one',
)
export const matrix = inTest(
  'sync-server/calls/access-matrix.pg.test.ts',
  'who may do what',
  'sync-server/testing/access/access-matrix.ts',
)
/** What the calls answer holds every field of the entity. */
export const answered = inTest(
  'sync-server/calls/specified-calls.pg.test.ts',
  'a call of the specification',
  'sync-server/testing/specified-calls.ts',
)
