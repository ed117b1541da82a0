import { useEffect } from 'react'
import type { BillingMode, Plan } from '#shared/billing/billing-calls.ts'
import { call } from '../api/call.ts'
import { observable, useObservable } from '../api/observable.ts'
import { reachability } from '../api/reachability.ts'

/** The plans on sale, and whether cards are charged for them here; null while nobody has said. */
export interface Offer {
  readonly plans: readonly Plan[]
  readonly mode: BillingMode['mode'] | null
}

export type OfferState =
  { readonly status: 'loading' | 'failed'; readonly offer: null } | { readonly status: 'ready'; readonly offer: Offer }

/** Three lines that everybody may see: local storage keeps them without a database, for a visit without a network. */
const storageKey = 'plans'

function isPlan(value: unknown): value is Plan {
  if (typeof value !== 'object' || value === null) return false
  const plan = value as Record<string, unknown>
  const numbers = ['id', 'price', 'eventLimit', 'durationDays']
  return (
    numbers.every((name) => Number.isSafeInteger(plan[name])) &&
    ['name', 'description'].every((name) => typeof plan[name] === 'string')
  )
}

/** A kept offer as it was written; null for anything else. Exported for its test. */
export function readOffer(text: string | null): Offer | null {
  try {
    const kept = JSON.parse(text ?? 'null') as { plans?: unknown; mode?: unknown } | null
    if (!Array.isArray(kept?.plans) || kept.plans.length === 0 || !kept.plans.every(isPlan)) return null
    return { plans: kept.plans, mode: kept.mode === 'demo' || kept.mode === 'live' ? kept.mode : null }
  } catch {
    return null
  }
}

function keptOffer(): Offer | null {
  try {
    return readOffer(localStorage.getItem(storageKey))
  } catch {
    return null
  }
}

const kept = keptOffer()
const state = observable<OfferState>(kept ? { status: 'ready', offer: kept } : { status: 'loading', offer: null })
let asking = false

function keep(offer: Offer): void {
  try {
    localStorage.setItem(storageKey, JSON.stringify(offer))
  } catch {
    // Without storage the offer lasts as long as the page.
  }
}

/** Asks the server what is on sale. What was known before stays when no answer comes. */
export async function loadOffer(): Promise<void> {
  if (asking) return
  asking = true
  const known = state.get().offer
  if (!known) state.set({ status: 'loading', offer: null })
  const [plans, billing] = await Promise.allSettled([call('listPlans'), call('getBillingMode')])
  asking = false
  if (plans.status === 'fulfilled' && billing.status === 'fulfilled') {
    const offer = { plans: plans.value, mode: billing.value.mode }
    keep(offer)
    state.set({ status: 'ready', offer })
  } else if (!known) state.set({ status: 'failed', offer: null })
}

/** What is on sale, from this device first; asked anew when the screen opens and when the server can be reached again. */
export function useOffer(): OfferState {
  useEffect(() => {
    void loadOffer()
    // Only when the way to the server opens: a server that answers with a failure is not asked over and over.
    return reachability.subscribe(() => {
      if (reachability.get() === 'reachable' && state.get().status === 'failed') void loadOffer()
    })
  }, [])
  return useObservable(state)
}
