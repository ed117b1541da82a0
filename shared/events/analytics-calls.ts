import * as z from 'zod'
import type { Section } from '../contract/route.ts'
import { viewSources } from './view-source.ts'

/** Measures the time until the first decision on an application; it is null before. */
const answerTimes = z.strictObject({
  answered: z.int(),
  halfWithinMs: z.number().nullable(),
  nineOfTenWithinMs: z.number().nullable(),
})
export type AnswerTimes = z.output<typeof answerTimes>

const analytics = z.strictObject({
  /** `unknown` counts applications whose sender did not say. */
  sources: z.array(
    z.strictObject({ source: z.enum([...viewSources, 'unknown']), views: z.int(), applications: z.int() }),
  ),
  answers: answerTimes,
  /** Events are sorted by start, newest first. */
  events: z.array(
    z.strictObject({
      id: z.int(),
      name: z.string(),
      startDate: z.string(),
      views: z.int(),
      applications: z.int(),
      approved: z.int(),
      came: z.int(),
      ...answerTimes.shape,
    }),
  ),
  /** The answers' texts are never part of it. */
  questions: z.array(
    z.strictObject({
      question: z.string(),
      asked: z.int(),
      answered: z.int(),
      choices: z.array(z.strictObject({ choice: z.string(), applications: z.int() })).optional(),
    }),
  ),
  /** Counts applications from Monday to Sunday, by the calendar of each venue. */
  weekdays: z.array(z.int()).length(7),
})
export type Analytics = z.output<typeof analytics>

export const analyticsRoutes = {
  getAnalytics: {
    summary: "Figures over all of the caller's events; for the plan without a limit, and for admins",
    access: 'user',
    team: 'manager',
    answer: analytics,
  },
} as const satisfies Section
