import * as z from 'zod'
import type { Section } from '../contract/route.ts'
import { requiredText } from '../record/values.ts'

const longestDeviceName = 60

const session = z.strictObject({
  id: z.int(),
  /** The device's owner gave it this name; null means that they never did. */
  deviceName: z.string().nullable(),
  /** ISO instants; `lastSeenAt` is true to ten minutes. */
  createdAt: z.string(),
  lastSeenAt: z.string(),
  /** It is true for the session of this call. */
  current: z.boolean(),
  /** Says whether the device gets alerts about new applications. */
  alerts: z.boolean(),
})
export type Session = z.output<typeof session>

export const sessionRoutes = {
  listSessions: {
    summary: 'Where the caller is signed in, the present session first, then the one seen last',
    access: 'user',
    answer: z.array(session),
  },
  endSession: { summary: "End one of the caller's sessions, with its alerts", access: 'user' },
  endOtherSessions: {
    summary: "End all of the caller's sessions but the present one, with their alerts",
    access: 'user',
  },
  renameDevice: {
    summary: "Name the present session's device",
    access: 'user',
    body: z.strictObject({ name: requiredText(longestDeviceName, 'Please enter a name') }),
  },
} as const satisfies Section
