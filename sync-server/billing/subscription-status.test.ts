import { describe, expect, it } from 'vitest'
import { subscriptionStatusOf, tierAndEnd } from './subscription-status.ts'
import type { HeldSubscription } from './subscription-store.ts'

const now = new Date('2026-06-15T12:00:00Z')
const limits = { single: 1, multi: 3, unlimited: -1 } as const

function held(
  id: number,
  tier: keyof typeof limits,
  eventsUsed: number,
  endDate: string | null,
  changes: Partial<HeldSubscription> = {},
): HeldSubscription {
  return {
    id,
    userId: 1,
    planId: 1,
    eventsUsed,
    startDate: new Date('2026-01-01T00:00:00Z'),
    endDate: endDate === null ? null : new Date(endDate),
    status: 'active',
    promoCode: null,
    createdAt: new Date('2026-01-01T00:00:00Z'),
    plan: {
      id: 1,
      name: tier,
      description: '',
      tier,
      priceCents: 2000,
      eventLimit: limits[tier],
      durationDays: 365,
    },
    ...changes,
  }
}

describe('what a user is told about their plan', () => {
  it.each([
    ['no plan', [], null, "You don't have an active subscription."],
    ['one left', [held(1, 'multi', 2, '2027-01-01')], 1, null],
    ['used up', [held(1, 'multi', 3, '2027-01-01')], 1, 'You have used all 3 events in your plan.'],
    ['unlimited', [held(1, 'unlimited', 500, '2027-01-01')], 1, null],
    ['no end', [held(1, 'single', 0, null)], 1, null],
    [
      'ended this instant',
      [held(1, 'single', 0, '2026-06-15T12:00:00Z')],
      1,
      'Your subscription expired on June 15, 2026.',
    ],
    ['a millisecond left', [held(1, 'single', 0, '2026-06-15T12:00:00.001Z')], 1, null],
    [
      'not begun',
      [held(1, 'single', 0, null, { startDate: new Date('2026-07-01') })],
      null,
      "You don't have an active subscription.",
    ],
    [
      'cancelled',
      [held(1, 'single', 0, null, { status: 'cancelled' })],
      null,
      "You don't have an active subscription.",
    ],
    [
      'the oldest usable of several',
      [held(1, 'single', 1, '2027-01-01'), held(2, 'multi', 0, '2027-01-01'), held(3, 'multi', 0, '2028-01-01')],
      2,
      null,
    ],
    [
      'used up beats expired',
      [held(1, 'single', 1, '2027-01-01'), held(2, 'multi', 0, '2026-01-01')],
      1,
      'You have used the 1 event in your plan.',
    ],
    [
      'the last that ended',
      [held(1, 'single', 1, '2026-03-02T00:00:00Z'), held(2, 'multi', 0, '2026-03-01T00:00:00Z')],
      1,
      'Your subscription expired on March 2, 2026.',
    ],
  ])('%s', (_, subscriptions, id, reason) => {
    const status = subscriptionStatusOf(subscriptions, now)
    expect(status.subscription?.id ?? null).toBe(id)
    expect(status.canCreateEvent).toEqual({ canCreate: reason === null, reason })
  })

  it('an event can be created until the last subscription with one left ends', () => {
    const until = (...subscriptions: HeldSubscription[]) => subscriptionStatusOf(subscriptions, now).canCreateUntil
    expect(until()).toBeUndefined()
    expect(until(held(1, 'single', 1, '2027-01-01'))).toBeUndefined()
    expect(until(held(1, 'single', 0, '2027-01-01'), held(2, 'single', 1, '2028-01-01'))).toBe(
      '2027-01-01T00:00:00.000Z',
    )
    expect(until(held(1, 'single', 0, '2027-01-01'), held(2, 'multi', 0, '2028-01-01'))).toBe(
      '2028-01-01T00:00:00.000Z',
    )
    expect(until(held(1, 'single', 0, '2027-01-01'), held(2, 'multi', 0, null))).toBeUndefined()
  })

  it('the tier is the highest running plan, until the last of that tier ends', () => {
    expect(tierAndEnd([], now)).toEqual({ tier: 'none', endDate: null })
    expect(tierAndEnd([held(1, 'unlimited', 0, '2026-01-01'), held(2, 'single', 1, '2027-01-01')], now)).toEqual({
      tier: 'single',
      endDate: new Date('2027-01-01'),
    })
    expect(
      tierAndEnd(
        [held(1, 'multi', 0, '2027-01-01'), held(2, 'multi', 0, '2028-01-01'), held(3, 'single', 0, '2029-01-01')],
        now,
      ),
    ).toEqual({ tier: 'multi', endDate: new Date('2028-01-01') })
    expect(tierAndEnd([held(1, 'multi', 0, '2027-01-01'), held(2, 'multi', 0, null)], now)).toEqual({
      tier: 'multi',
      endDate: null,
    })
  })
})
