import { expect, it } from 'vitest'
import { offersMore, subscriptionView } from './subscription-card.tsx'

const now = new Date('2026-06-15T12:00:00Z')
const subscription = {
  id: 1,
  planId: 1,
  status: 'active',
  eventsUsed: 0,
  startDate: '2026-01-01T12:00:00.000Z',
  promoCode: null,
}
const noonOf = (day: string) => `${day}T12:00:00.000Z`
const account = (endDay: string | null, canCreate: boolean, canCreateUntil?: string) => ({
  subscription: { ...subscription, endDate: endDay === null ? null : noonOf(endDay) },
  canCreateEvent: { canCreate, reason: canCreate ? null : 'No.' },
  teams: [],
  ...(canCreateUntil === undefined ? {} : { canCreateUntil: noonOf(canCreateUntil) }),
})

it.each([
  ['far away', account('2027-01-01', true, '2027-01-01'), 'Active', 'Until January 1, 2027'],
  ['in a week', account('2026-06-22', true, '2026-06-22'), 'Expires Soon', '7 days left, until June 22, 2026'],
  ['tomorrow', account('2026-06-16', true, '2026-06-16'), 'Expires Soon', '1 day left, until June 16, 2026'],
  ['over', account('2026-06-14', false), 'Expired', 'Ended June 14, 2026'],
  ['never', account(null, true), 'Active', 'No expiration'],
  ['used up, a week before the end', account('2026-06-20', false), 'Expires Soon', '5 days left, until June 20, 2026'],
  [
    'soon, with another plan behind it',
    account('2026-06-16', true, '2027-06-15'),
    'Active',
    'Until June 16, 2026, then another plan until June 15, 2027',
  ],
  [
    'soon, with one that never ends behind it',
    account('2026-06-16', true),
    'Active',
    'Until June 16, 2026; another plan of yours has no expiration',
  ],
  [
    'before another one that runs on',
    account('2026-06-14', true, '2027-06-15'),
    'Active',
    'Ended June 14, 2026, then another plan until June 15, 2027',
  ],
  ['no date', account('not a date', false), 'Active', 'No expiration'],
])('how long the organizer can go on when the plan ends %s', (_, given, label, endText) => {
  const view = subscriptionView(given, now)
  expect([view.state.label, view.endText]).toEqual([label, endText])
})

const plan = { id: 3, name: 'Unlimited', description: '', price: 14_900, eventLimit: -1, durationDays: 365 }
const yes = { canCreate: true, reason: null }
it.each([
  ['not to an account without a limit', plan, yes, false],
  ['to an account whose plan without a limit has ended', plan, { canCreate: false, reason: 'Over.' }, true],
  ['to an account with a limit', { ...plan, eventLimit: 3 }, yes, true],
  ['to an account without a plan', null, yes, true],
])('whether another plan gives more: %s', (_, held, canCreateEvent, more) => {
  expect(offersMore({ plan: held, canCreateEvent })).toBe(more)
})
