import * as z from 'zod'
import { takenDown } from '../events/event-calls.ts'
import { longestReason } from './take-down.ts'
import type { Section } from '../contract/route.ts'
import { requiredText } from '../record/values.ts'

const adminEvent = z.strictObject({
  id: z.int(),
  name: z.string(),
  organizer: z.strictObject({ id: z.int(), username: z.string() }),
  startDate: z.string(),
  endDate: z.string(),
  /** The event's own time zone decides. */
  isUpcoming: z.boolean(),
  applicationCount: z.int(),
  /** It is null while the public sees the event. */
  takenDown: takenDown.nullable(),
})
export type AdminEvent = z.output<typeof adminEvent>

export const adminEventRoutes = {
  listAdminEvents: {
    summary: 'All events by id; with `limit` the first of those after the id `after`',
    access: 'admin',
    query: z.strictObject({
      limit: z.coerce.number().int().min(1).max(1000).optional(),
      after: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional(),
    }),
    answer: z.array(adminEvent),
  },
  takeEventDown: {
    summary: 'Hide an event from the public and tell its organizer why; one that is down keeps its reason',
    access: 'admin',
    body: z.strictObject({ reason: requiredText(longestReason) }),
    answer: adminEvent,
  },
  putEventBack: { summary: 'Show an event again that was taken down', access: 'admin', answer: adminEvent },
} as const satisfies Section
