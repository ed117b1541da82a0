import { expect, it } from 'vitest'
import { planNameOf, planTerm } from './account-card.tsx'

const now = new Date('2026-11-21T12:00:00Z')
const later = '2027-01-01T00:00:00.000Z'

it.each([
  ['none', null, { tier: 'none', endLabel: null, endDate: null }],
  ['single', later, { tier: 'single', endLabel: 'Expires On', endDate: later }],
  ['multi', null, { tier: 'multi', endLabel: 'Expires On', endDate: null }],
  ['unlimited', later, { tier: 'unlimited', endLabel: 'Renewal Date', endDate: later }],
  ['unlimited', now.toISOString(), { tier: 'none', endLabel: null, endDate: null }],
] as const)('shows a plan %s that ends %s as it is now', (subscriptionTier, subscriptionEndDate, shown) => {
  expect(planTerm({ subscriptionTier, subscriptionEndDate }, now)).toEqual(shown)
})

it.each([
  ['multi', { id: 2, name: 'Multi Event' }, 'Multi Event'],
  ['unlimited', { id: 2, name: 'Multi Event' }, null],
  ['single', null, null],
  ['none', { id: 1, name: 'Single Event' }, null],
] as const)('beside the tier of a plan %s, of which the device knows %j, stands %s', (tier, plan, shown) => {
  expect(planNameOf(tier, plan)).toBe(shown)
})
