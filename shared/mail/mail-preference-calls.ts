import * as z from 'zod'
import type { Section } from '../contract/route.ts'

/** Which mails a user wants; what mails are about an agreement is not theirs to choose. */
const mailPreferences = z.strictObject({
  /** A mail about new applications, where none of the user's devices is set to alert them. */
  newApplications: z.boolean(),
})

export const mailPreferenceRoutes = {
  getMailPreferences: { summary: 'Which mails the user wants', access: 'user', answer: mailPreferences, status: 200 },
  setMailPreferences: {
    summary: 'Choose which mails the user wants',
    access: 'user',
    body: mailPreferences,
    answer: mailPreferences,
    status: 200,
    repeatable: 'naturally',
  },
} as const satisfies Section
