import { useEffect } from 'react'
import type { BillingMode, Plan } from '#shared/billing/billing-calls.ts'
import { call, questions } from '../sync/index.ts'
import { parsed } from '#shared/text/parsed.ts'
import { readText, writeText } from '../browser/browser-storage.ts'

/** `mode` is null until the server has answered. */
export interface Offer {
  readonly plans: readonly Plan[]
  readonly mode: BillingMode['mode'] | null
}

export type OfferState =
  | { readonly status: 'loading' | 'failed'; readonly offer: null }
  | { readonly status: 'ready'; readonly offer: Offer }

/** Local storage can be read without a database and a network. */
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

/** Returns null for anything malformed. A test needs it, too. */
export function readOffer(text: string | null): Offer | null {
  const { plans, mode } = (parsed(text ?? '') ?? {}) as { plans?: unknown; mode?: unknown }
  if (!Array.isArray(plans) || plans.length === 0 || !plans.every(isPlan)) return null
  return { plans, mode: mode === 'demo' || mode === 'live' ? mode : null }
}

const keptOffer = () => readOffer(readText(storageKey))

const onSale = questions.createQuestion<Offer>({
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
  outlivesFollowers: true,
})

const when: questions.RefetchOptions<Offer> = { reachable: 'after failure' }

/** Plans known before stay when no answer comes. */
export const loadOffer = onSale.ask

/** Pricing and checkout then work without a network. */
export function useKeptOffer(): void {
  useEffect(() => {
    if (!keptOffer()) void loadOffer()
  }, [])
}

/** Answers from this device first, and asks again when the screen opens and when the server is reachable again. */
export function useOffer(): OfferState {
  const { answer: offer, isAsking, failure } = questions.useAnswer(onSale, when)
  if (offer) return { status: 'ready', offer }
  return { status: failure && !isAsking ? 'failed' : 'loading', offer: null }
}
