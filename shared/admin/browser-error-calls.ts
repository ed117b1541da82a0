import * as z from 'zod'
import type { Section } from '../contract/route.ts'
import { mostReported } from './browser-error.ts'

/** Takes no form in which a person's words or an address with its ids could come. */
const about = {
  name: z.string().regex(/^[A-Za-z_$][\w$]{0,59}$/),
  version: z.string().regex(/^\d[\w.+-]{0,29}$/),
  /** A pattern, such as `/events/:id`. */
  screen: z.string().regex(/^\/$|^(\/(:id|[a-z][a-z-]{0,29})){1,5}$/),
  /** File of the app, line and column, the innermost first. */
  frames: z
    .array(z.string().regex(/^[\w-][\w.-]{0,79}:\d{1,7}:\d{1,7}$/))
    .min(1)
    .max(mostReported.frames),
}

const reportedError = z.strictObject({ ...about, times: z.int().min(1).max(mostReported.times) })
export type ReportedError = z.output<typeof reportedError>

const browserError = z.strictObject({
  id: z.string(),
  ...about,
  times: z.int(),
  firstAt: z.string(),
  lastAt: z.string(),
})
export type BrowserError = z.output<typeof browserError>

export const browserErrorRoutes = {
  reportErrors: {
    summary: 'Count errors of a page, without contents and without a sender',
    access: 'anyone',
    body: z.strictObject({ errors: z.array(reportedError).min(1).max(mostReported.errors) }),
    isUnaudited: true,
  },
  listBrowserErrors: {
    summary: 'Errors of pages in the last 30 days by kind, version and place in the code, the newest 200',
    access: 'admin',
    answer: z.array(browserError),
  },
} as const satisfies Section
