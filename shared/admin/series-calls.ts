import * as z from 'zod'
import type { Section } from '../contract/route.ts'

export const seriesSteps = { day: 30, month: 12 } as const

/** Counts what came about in one day or month (UTC), by the rows that exist now. */
const span = z.strictObject({
  from: z.string(),
  users: z.int(),
  events: z.int(),
  subscriptions: z.int(),
  /** Sums cents of successful real payments on the day they were paid, less what was taken back since. */
  revenue: z.int(),
  applications: z.int(),
  /** Counts mails that were given up and not sent since. */
  mailsFailed: z.int(),
})
export type SeriesSpan = z.output<typeof span>

const series = z.strictObject({
  /** Oldest first; the last is not over. */
  spans: z.array(span),
  /** At the moment: no row tells how many waited before. */
  mailsWaiting: z.int(),
})
export type Series = z.output<typeof series>

export const seriesRoutes = {
  getAdminSeries: {
    summary: `What came about in each of the last ${seriesSteps.day} days or ${seriesSteps.month} months`,
    access: 'admin',
    query: z.strictObject({ by: z.enum(['day', 'month']) }),
    answer: series,
  },
} as const satisfies Section
