import * as z from 'zod'
import type { Section } from '../contract/route.ts'
import { maxReported } from './browser-error.ts'

/** Takes no form in which a person's words or an address with its ids could come. */
const about = {
  name: z.string().regex(/^[A-Za-z_$][\w$]{0,59}$/),
  version: z.string().regex(/^\d[\w.+-]{0,29}$/),
  /** It is a pattern such as `/events/:id`, so that no address of a person is sent. */
  screen: z.string().regex(/^\/$|^(\/(:id|[a-z][a-z-]{0,29})){1,5}$/),
  /** Each frame names a file of the app, a line and a column. The innermost comes first. */
  frames: z
    .array(z.string().regex(/^[\w-][\w.-]{0,79}:\d{1,7}:\d{1,7}$/))
    .min(1)
    .max(maxReported.frames),
}

const reportedError = z.strictObject({ ...about, times: z.int().min(1).max(maxReported.times) })
export type ReportedError = z.output<typeof reportedError>

export const browserErrorRoutes = {
  reportErrors: {
    summary: 'Log and count errors of a page, without contents and without a sender',
    access: 'anyone',
    body: z.strictObject({ errors: z.array(reportedError).min(1).max(maxReported.errors) }),
    isUnaudited: true,
  },
} as const satisfies Section
