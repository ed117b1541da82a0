import type { EventWithoutPlan } from './form/event-draft-list.tsx'
import { createEvent, type CreateEvent } from '../outbox/mutations/create-event.ts'
import { findKnown } from '../outbox/mutations/mutations.ts'
import { paths } from '../paths.ts'
import { useOutbox } from '../session/use-outbox.ts'

const planCodes = new Set(['plan_limit', 'payment_required'])

/** Events of the signed-in account that the server refused for want of a plan: drafts that need one. */
export function useEventsWithoutPlan(): EventWithoutPlan[] {
  return useOutbox().items.flatMap(({ entry, reason }) => {
    const isRefusedForPlan =
      entry.mutation === createEvent.name &&
      entry.userId !== null &&
      entry.state === 'parked' &&
      planCodes.has(entry.refusal?.problem.code ?? '')
    const args = isRefusedForPlan ? (findKnown(entry)?.args as CreateEvent | undefined) : undefined
    if (!args) return []
    const to = `${paths.createEvent}?resend=${entry.seq}`
    return [{ seq: entry.seq, name: args.fields.name, reason: reason ?? '', to }]
  })
}
