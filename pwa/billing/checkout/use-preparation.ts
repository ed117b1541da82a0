import type { Stripe } from '@stripe/stripe-js'
import { useEffect, useEffectEvent, useState } from 'react'
import { call, Refused, Unreachable } from '../../sync/index.ts'
import { bodyOf, once, type PlanOrder } from '../plan-order.ts'
import { couldNotInitialize, forgetPayment, notConnected, rememberedPayment } from './card-payment.ts'
import { checkOfStatus } from './payment-check.ts'
import { useNewest } from './use-newest.ts'
import { openProvider, ProviderRefused, statusOfPayment } from './provider.ts'

type IntentAnswer =
  /** `amountCents`: what will be charged. */
  | { readonly kind: 'ready'; readonly clientSecret: string; readonly amountCents: number }
  /** It was paid before, or cost nothing. */
  | { readonly kind: 'active' }
  /** The bank takes its time: not to be paid again. */
  | { readonly kind: 'processing' }
  | { readonly kind: 'signed-out' }
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'refused'; readonly message: string }

/** Resumes an open payment: the server has one for each order. */
async function beginPayment(order: PlanOrder): Promise<IntentAnswer> {
  try {
    const { clientSecret, freeSubscription, amount, payment } = await once('intent', order, (key) =>
      call('createPaymentIntent', { body: bodyOf(order), key }),
    )
    if (freeSubscription || payment === 'paid') return { kind: 'active' }
    if (payment === 'processing') return { kind: 'processing' }
    if (clientSecret === null) return { kind: 'refused', message: couldNotInitialize }
    return { kind: 'ready', clientSecret, amountCents: amount }
  } catch (error) {
    return refusalOf(error)
  }
}

export async function takeFreePlan(order: PlanOrder): Promise<IntentAnswer> {
  try {
    await once('subscribe', order, (key) => call('createSubscription', { body: bodyOf(order), key }))
    return { kind: 'active' }
  } catch (error) {
    return refusalOf(error)
  }
}

function refusalOf(error: unknown): IntentAnswer {
  if (error instanceof Unreachable) return { kind: 'unreachable' }
  if (!(error instanceof Refused)) return { kind: 'refused', message: couldNotInitialize }
  if (error.status === 401) return { kind: 'signed-out' }
  return { kind: 'refused', message: error.message }
}

export type Preparation =
  | { readonly state: 'loading' }
  | { readonly state: 'ready'; readonly stripe: Stripe; readonly clientSecret: string; readonly amountCents: number }
  /** Before a reload of this tab. `isActive`: our server knows of it. */
  | { readonly state: 'paid'; readonly isActive: boolean }
  | { readonly state: 'signed-out' }
  | { readonly state: 'failed'; readonly message: string }

const loading: Preparation = { state: 'loading' }
const failed = (message: string): Preparation => ({ state: 'failed', message })

function ofStatus(status: string): Preparation {
  const check = checkOfStatus(status)
  return check.state === 'success' ? { state: 'paid', isActive: false } : failed(check.message)
}

async function reachProvider(publishableKey: string | null): Promise<Stripe | Preparation> {
  if (publishableKey === null) return failed('Could not initialize payment provider. Please try again.')
  try {
    return await openProvider(publishableKey)
  } catch (error) {
    return failed(
      error instanceof ProviderRefused ? 'Could not initialize payment provider. Please try again.' : notConnected,
    )
  }
}

const isPreparation = (reached: Stripe | Preparation): reached is Preparation => 'state' in reached

/** For the payment begun before a reload; null when it is still to be made. */
async function findOut(stripe: Stripe, clientSecret: string): Promise<Preparation | null> {
  try {
    const status = await statusOfPayment(stripe, clientSecret)
    if (status === 'succeeded' || status === 'processing') return ofStatus(status)
    forgetPayment()
    return null
  } catch {
    return failed(notConnected)
  }
}

async function prepare(order: PlanOrder, publishableKey: string | null): Promise<Preparation> {
  // Asked first, so that no second payment follows one that went through.
  const before = rememberedPayment()
  const reaching = reachProvider(publishableKey)
  if (before?.planId === order.planId) {
    const reached = await reaching
    if (isPreparation(reached)) return reached
    const found = await findOut(reached, before.clientSecret)
    if (found) return found
  }
  const [answer, reached] = await Promise.all([beginPayment(order), reaching])
  switch (answer.kind) {
    case 'ready': {
      const { clientSecret, amountCents } = answer
      return isPreparation(reached) ? reached : { state: 'ready', stripe: reached, clientSecret, amountCents }
    }
    case 'active':
      return { state: 'paid', isActive: true }
    case 'processing':
      return ofStatus('processing')
    case 'signed-out':
      return { state: 'signed-out' }
    case 'unreachable':
      return failed(notConnected)
    case 'refused':
      return failed(answer.message)
  }
}

/** Retries a failure with the network. @param order null while unknown, or when it needs no card */
export function usePreparation(
  order: PlanOrder | null,
  publishableKey: string | null,
): readonly [Preparation, () => void] {
  const [attempt, setAttempt] = useState(1)
  // A preparation for another order or an earlier attempt is void.
  const turn = order && `${attempt} ${order.planId} ${order.promoCode} ${publishableKey}`
  const prepared = useNewest(turn, async () =>
    order ? await prepare(order, publishableKey).catch(() => failed(couldNotInitialize)) : loading,
  )
  const preparation = prepared ?? loading

  const again = () => setAttempt(attempt + 1)
  const onNetwork = useEffectEvent(() => {
    if (preparation.state === 'failed') again()
  })
  useEffect(() => {
    const listen = () => onNetwork()
    addEventListener('online', listen)
    return () => removeEventListener('online', listen)
  }, [])
  return [preparation, again]
}
