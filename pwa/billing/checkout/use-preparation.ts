import type { Stripe } from '@stripe/stripe-js'
import { useEffect, useEffectEvent, useState } from 'react'
import { call, Refused, Unreachable } from '../../sync/index.ts'
import { bodyOf, once, type PlanOrder } from '../plan-order.ts'
import { forgetPayment, notConnected, rememberedPayment } from './card-payment.ts'
import { checkOfStatus, couldNotInitialize } from './payment-check.ts'
import { useNewest } from './use-newest.ts'
import { openProvider, ProviderRefused, statusOfPayment } from './provider.ts'

export type Preparation =
  | { readonly state: 'loading' }
  | { readonly state: 'ready'; readonly stripe: Stripe; readonly clientSecret: string; readonly amountCents: number }
  /** It was paid before a reload of this tab. `isActive` says that our server knows of it. */
  | { readonly state: 'paid'; readonly isActive: boolean }
  | { readonly state: 'signed-out' }
  | { readonly state: 'failed'; readonly message: string }

const loading: Preparation = { state: 'loading' }
const active: Preparation = { state: 'paid', isActive: true }
const failed = (message: string): Preparation => ({ state: 'failed', message })

function ofStatus(status: string): Preparation {
  const check = checkOfStatus(status)
  return check.state === 'success' ? { state: 'paid', isActive: false } : failed(check.message)
}

/** This will be charged. */
interface Intent {
  readonly clientSecret: string
  readonly amountCents: number
}

/** Resumes an open payment: the server has one for each order. */
async function beginPayment(order: PlanOrder): Promise<Intent | Preparation> {
  try {
    const { clientSecret, freeSubscription, amount, payment } = await once('intent', order, (key) =>
      call('createPaymentIntent', { body: bodyOf(order), key }),
    )
    if (freeSubscription || payment === 'paid') return active
    // The bank takes its time: not to be paid again.
    if (payment === 'processing') return ofStatus(payment)
    if (clientSecret === null) return failed(couldNotInitialize)
    return { clientSecret, amountCents: amount }
  } catch (error) {
    return refusalOf(error)
  }
}

export async function takeFreePlan(order: PlanOrder): Promise<Preparation> {
  try {
    await once('subscribe', order, (key) => call('createSubscription', { body: bodyOf(order), key }))
    return active
  } catch (error) {
    return refusalOf(error)
  }
}

function refusalOf(error: unknown): Preparation {
  if (error instanceof Unreachable) return failed(notConnected)
  if (!(error instanceof Refused)) return failed(couldNotInitialize)
  return error.status === 401 ? { state: 'signed-out' } : failed(error.message)
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

const isPreparation = (found: Stripe | Intent | Preparation): found is Preparation => 'state' in found

/** Finds the payment that was begun before a reload; null means that it is still to be made. */
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
  // This is asked first, so that no second payment follows one that went through.
  const before = rememberedPayment()
  const reaching = reachProvider(publishableKey)
  if (before?.planId === order.planId) {
    const reached = await reaching
    if (isPreparation(reached)) return reached
    const found = await findOut(reached, before.clientSecret)
    if (found) return found
  }
  const [begun, reached] = await Promise.all([beginPayment(order), reaching])
  if (isPreparation(begun)) return begun
  return isPreparation(reached) ? reached : { state: 'ready', stripe: reached, ...begun }
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
