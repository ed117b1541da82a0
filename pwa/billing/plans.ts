import { useEffect } from 'react'
import type { BillingMode, Plan } from '#shared/billing/billing-calls.ts'
import { call, createQuestion, parsed, readText, useAnswer, writeText, type When } from '../sync/index.ts'

/** `mode` is null until the server has answered. */
export interface Offer {
  readonly plans: readonly Plan[]
  readonly mode: BillingMode['mode'] | null
}

export type OfferState =
  | { readonly status: 'loading' | 'failed'; readonly offer: null }
  | { readonly status: 'ready'; readonly offer: Offer }

/** In local storage, readable without a database and a network. */
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

/** Null for anything malformed. Exported for its test. */
export function readOffer(text: string | null): Offer | null {
  const { plans, mode } = (parsed(text ?? '') ?? {}) as { plans?: unknown; mode?: unknown }
  if (!Array.isArray(plans) || plans.length === 0 || !plans.every(isPlan)) return null
  return { plans, mode: mode === 'demo' || mode === 'live' ? mode : null }
}

const keptOffer = () => readOffer(readText(storageKey))

const onSale = createQuestion<Offer>({
  async call(signal) {
    // A request under way keeps the plans from being asked for again.
    const [plans, billing] = await Promise.allSettled([
      call('listPlans', { signal }),
      call('getBillingMode', { signal }),
    ])
    if (plans.status === 'rejected') throw plans.reason
    if (billing.status === 'rejected') throw billing.reason
    return { plans: plans.value, mode: billing.value.mode }
  },
  cache: {
    readNow() {
      const offer = keptOffer()
      return offer ? { value: offer, asOf: null } : undefined
    },
    keep: ({ value }) => writeText(storageKey, JSON.stringify(value)),
  },
  goesOn: true,
})

const when: When<Offer> = { reachable: 'after failure' }

/** Plans known before stay when no answer comes. */
export const loadOffer = onSale.ask

/** Pricing and checkout then work without a network. */
export function useKeptOffer(): void {
  useEffect(() => {
    if (!keptOffer()) void loadOffer()
  }, [])
}

/** From this device first; asked anew when the screen opens and when the server is reachable again. */
export function useOffer(): OfferState {
  const { answer: offer, isAsking, failure } = useAnswer(onSale, when)
  if (offer) return { status: 'ready', offer }
  return { status: failure && !isAsking ? 'failed' : 'loading', offer: null }
}
