import { describe, expect, it } from 'vitest'
import { accountDocument } from '../testing/account-rows.ts'
import { SINGLE, UNLIMITED, yearMs } from '../testing/billing-rows.ts'
import type { Member } from '../testing/test-server.ts'
import { setPaymentStage } from '../testing/stripe-service/payment-stage.ts'
import { eventBody } from '../testing/route-rig.ts'

const stage = await setPaymentStage()
const { stripe, server, db, webhookUrl, clock, olivia } = stage
const { openPaid, look, tell, eventOf, payments, subscriptions } = stage

/** Pays for a plan; answers the provider's name for the payment. */
async function paid(payer: Member, planId: number): Promise<string> {
  const secret = await openPaid(payer, planId)
  expect(await tell('payment_intent.succeeded', secret)).toBe(200)
  return stripe.intentOf(secret).id
}

async function revenue(): Promise<number> {
  const ada = await server.addMember(`Ada${Math.random()}`, { isAdmin: true })
  return (await ada.call('getAdminStats')).body.totalRevenue as number
}

const historyOf = async (payer: Member) => (await payer.call('getBillingHistory')).body.entries as unknown[]

describe('a refund', () => {
  it('of everything ends the plan now, keeps its events, and is no revenue', async () => {
    const before = await revenue()
    const intent = await paid(olivia, SINGLE)
    expect(await revenue()).toBe(before + 2000)
    expect((await olivia.call('createEvent', { body: eventBody() })).status).toBe(201)
    clock.now = new Date(clock.now.getTime() + 3_600_000)
    stripe.refund(intent)
    expect(await tell('charge.refunded')).toBe(200)
    const [row] = await payments(olivia)
    expect(row).toMatchObject({ status: 'paid', refundedCents: 2000, revokedAt: clock.now })
    expect(await subscriptions(olivia)).toMatchObject([{ status: 'cancelled', endDate: clock.now }])
    const status = (await look(olivia)).body
    expect(status.canCreateEvent.canCreate).toBe(false)
    expect(status.canCreateEvent.reason).toMatch(/^Your subscription expired on /)
    expect(await historyOf(olivia)).toMatchObject([{ amount: 2000, status: 'paid', refunded: 2000 }])
    expect(await revenue()).toBe(before)
    expect((await olivia.call('listOrganizerEvents')).body).toHaveLength(1)
    expect((await olivia.call('getUser')).body.subscriptionTier).toBe('none')
    expect(await accountDocument(db, olivia.userId)).toMatchObject({ user: { subscriptionTier: 'none' } })
  })

  it('in parts, late and in the wrong order, counts once each and ends the plan with the last', async () => {
    const intent = await paid(olivia, SINGLE)
    stripe.refund(intent, 500)
    const early = eventOf('charge.refunded')
    stripe.refund(intent, 1500)
    expect(await tell('charge.refunded')).toBe(200)
    expect(await stripe.deliver(early, { url: webhookUrl, signedAt: clock.now })).toBe(200)
    expect(await payments(olivia)).toMatchObject([{ refundedCents: 2000 }])
    expect(await subscriptions(olivia)).toMatchObject([{ status: 'cancelled' }])
  })

  it('that the bank could not carry out is taken off; one of everything is for a person', async () => {
    const intent = await paid(olivia, SINGLE)
    const part = stripe.refund(intent, 500)
    await tell('charge.refunded')
    stripe.failRefund(part.id)
    await tell('refund.failed')
    expect(await payments(olivia)).toMatchObject([{ refundedCents: 0 }])
    expect(await subscriptions(olivia)).toMatchObject([{ status: 'active' }])
    const whole = stripe.refund(intent)
    await tell('charge.refunded')
    stripe.failRefund(whole.id)
    await tell('refund.failed')
    expect(await subscriptions(olivia)).toMatchObject([{ status: 'cancelled' }])
    expect(server.log.some((line) => line.includes('money came back'))).toBe(true)
  })

  it('told before the payment itself gives and takes the plan', async () => {
    const secret = await openPaid(olivia, SINGLE)
    stripe.refund(stripe.intentOf(secret).id)
    await tell('charge.refunded')
    await tell('payment_intent.succeeded', secret)
    expect(await payments(olivia)).toMatchObject([{ status: 'paid', refundedCents: 2000 }])
    expect(await subscriptions(olivia)).toMatchObject([{ status: 'cancelled' }])
  })

  it('of one of two years leaves the other', async () => {
    await paid(olivia, UNLIMITED)
    clock.now = new Date(clock.now.getTime() + 180_000)
    const second = await paid(olivia, UNLIMITED)
    stripe.refund(second)
    await tell('charge.refunded')
    const [held] = await subscriptions(olivia)
    expect(held?.status).toBe('active')
    expect((held?.endDate?.getTime() ?? 0) - (held?.startDate.getTime() ?? 0)).toBe(yearMs)
    stripe.refund((await payments(olivia))[0]?.providerReference ?? '')
    await tell('charge.refunded')
    expect(await subscriptions(olivia)).toMatchObject([{ status: 'cancelled', endDate: clock.now }])
  })
})

describe('a dispute', () => {
  it('takes the money off the revenue at once, and the plan only when it is lost', async () => {
    const before = await revenue()
    const dispute = stripe.dispute(await paid(olivia, SINGLE))
    await tell('charge.dispute.created')
    expect(await payments(olivia)).toMatchObject([{ disputedCents: 2000, revokedAt: null }])
    expect(await subscriptions(olivia)).toMatchObject([{ status: 'active' }])
    expect(await historyOf(olivia)).toMatchObject([{ status: 'paid', disputed: true }])
    expect(await revenue()).toBe(before)
    stripe.closeDispute(dispute.id, 'lost')
    await tell('charge.dispute.closed')
    expect(await subscriptions(olivia)).toMatchObject([{ status: 'cancelled' }])
    expect(await revenue()).toBe(before)
  })

  it('that is won leaves everything as it was', async () => {
    const before = await revenue()
    const dispute = stripe.dispute(await paid(olivia, SINGLE))
    await tell('charge.dispute.funds_withdrawn')
    stripe.closeDispute(dispute.id, 'won')
    await tell('charge.dispute.closed')
    // Late, and of no effect: the provider is asked how it stands now.
    await tell('charge.dispute.created')
    expect(await payments(olivia)).toMatchObject([{ disputedCents: 0 }])
    expect(await subscriptions(olivia)).toMatchObject([{ status: 'active' }])
    expect(await historyOf(olivia)).not.toMatchObject([{ disputed: true }])
    expect(await revenue()).toBe(before + 2000)
  })

  it('that is only an inquiry takes nothing', async () => {
    stripe.dispute(await paid(olivia, SINGLE), 'inquiry')
    await tell('charge.dispute.created')
    expect(await payments(olivia)).toMatchObject([{ disputedCents: 0 }])
  })
})
