import { describe, expect, it } from 'vitest'
import {
  discountedCents,
  allowanceNow,
  durationText,
  eventLimitText,
  isMostPopular,
  periodText,
  planFeatures,
  planReasons,
  unitLabel,
  usageText,
  validityText,
} from './plan.ts'
import { planNames, subscriptionState, tierLabel, tierOfPlan } from './subscription-state.ts'

const now = new Date('2026-03-01T12:00:00Z')
it.each([
  ['2026-03-01T12:00:00.000Z', 0, 'expired'],
  ['2026-03-01T11:59:59.999Z', 0, 'expired'],
  ['2026-02-27T12:00:00.000Z', -2, 'expired'],
  ['2026-03-01T12:00:00.001Z', 1, 'expires-soon'],
  ['2026-03-02T12:00:00.000Z', 1, 'expires-soon'],
  ['2026-03-08T12:00:00.000Z', 7, 'expires-soon'],
  ['2026-03-08T12:00:00.001Z', 8, 'active'],
  ['2027-03-01T12:00:00.000Z', 365, 'active'],
  [null, null, 'active'],
  ['not a date', null, 'active'],
])('how long a subscription still runs: an end at %s leaves %s days: %s', (endDate, daysLeft, name) => {
  expect(subscriptionState(endDate, now)).toMatchObject({ daysLeft, name })
})

describe('the texts of a plan', () => {
  it.each([
    [365, '1 year', 'year'],
    [366, '12 months', 'year'],
    [730, '24 months', 'year'],
    [364, '12 months', 'month'],
    [90, '3 months', 'month'],
    [30, '1 month', 'month'],
    [29, '29 days', '29 days'],
    [1, '1 day', '1 day'],
    [0, 'No expiration', 'no expiration'],
    [-1, 'No expiration', 'no expiration'],
  ])('%i days are "%s", per %s', (days, validity, period) => {
    expect(validityText(days)).toBe(validity)
    expect(periodText(days)).toBe(period)
  })

  it.each([
    [1, 'per event', '1 event', '0 of 1 event used', false],
    [3, 'per 3 events', '3 events', '0 of 3 events used', true],
    [-1, 'per year', 'Unlimited events', '0 events used', false],
  ])('a limit of %i is sold %s', (eventLimit, unit, limit, usage, popular) => {
    const plan = { eventLimit, durationDays: 365 }
    expect([unitLabel(plan), eventLimitText(plan), usageText(0, plan), isMostPopular(plan)]).toEqual([
      unit,
      limit,
      usage,
      popular,
    ])
  })

  const features = [
    'Email notifications',
    'Beacon management',
    'Basic analytics',
    'Advanced analytics',
    'Priority support',
  ]
  it.each([
    [1, 1, '1 event', 2],
    [2, 3, '3 events', 3],
    [3, -1, 'Unlimited events', 5],
  ])('of plan %i name what it has', (id, eventLimit, events, count) => {
    const all = [events, 'Valid for 1 year', ...features.slice(0, count)]
    expect(planFeatures({ id, eventLimit, durationDays: 365 })).toEqual(all)
  })

  it('without an end say so in words, never as a number', () => {
    expect(planFeatures({ id: 1, eventLimit: 1, durationDays: -1 })).toContain('No expiration')
    expect([durationText(-1), durationText(0), durationText(1), durationText(365)]).toEqual([
      'No expiration',
      'No expiration',
      '1 day',
      '365 days',
    ])
  })
})

describe('tiers', () => {
  it.each([
    ['none', 'Free Plan'],
    ['single', 'Pro Plan'],
    ['multi', 'Pro Plan'],
    ['pro', 'Pro Plan'],
    ['unlimited', 'Premium Plan'],
    ['premium', 'Premium Plan'],
    ['something else', 'Free Plan'],
  ])('%s is shown as %s', (tier, label) => {
    expect(tierLabel(tier)).toBe(label)
  })

  it.each([
    [1, 'single'],
    [2, 'multi'],
    [3, 'unlimited'],
    [4, 'none'],
    [0, 'none'],
  ])('plan %i gives %s', (planId, tier) => {
    expect(tierOfPlan(planId)).toBe(tier)
  })

  it.each([
    [1, 'Single Event', { name: 'Single Event', tier: 'Pro Plan' }],
    [3, 'Unlimited', { name: 'Unlimited', tier: 'Premium Plan' }],
    [2, 'PRO plan', { name: null, tier: 'Pro Plan' }],
  ])('plan %i with the name %s is called %j', (id, name, names) => {
    expect(planNames({ id, name })).toEqual(names)
  })
})

describe('money', () => {
  it.each([
    [2000, 0, 2000],
    [2000, 100, 0],
    [4900, 15, 4165],
    [999, 50, 499],
    [1, 50, 0],
    [4900, 33, 3283],
  ])('%i cents less %i percent are %i', (price, percent, result) => {
    expect(discountedCents(price, percent)).toBe(result)
  })
})

const yes = { canCreate: true, reason: null }
const end = '2026-03-01T12:00:00.000Z'
it.each([
  ['before the last subscription ends', yes, end, '2026-03-01T11:59:59.999Z', yes],
  [
    'in the moment it ends, though the server has not said so',
    yes,
    end,
    end,
    { canCreate: false, reason: 'Your subscription expired on March 1, 2026.' },
  ],
  ['with one that never ends', yes, undefined, '2100-01-01T00:00:00Z', yes],
  [
    'when the server said no for another reason',
    { canCreate: false, reason: planReasons.used(3) },
    end,
    '2100-01-01T00:00:00Z',
    { canCreate: false, reason: planReasons.used(3) },
  ],
])('whether an event can be created: %s', (_, said, until, now, expected) => {
  expect(allowanceNow(said, until, new Date(now))).toEqual(expected)
})
