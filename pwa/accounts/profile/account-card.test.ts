import { expect, it } from 'vitest'
import { planTerm } from './account-card.tsx'

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
