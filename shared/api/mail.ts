import * as z from 'zod'
import type { Section } from './route.ts'

/** Specification, section 5. */
export const testEmailMissing = 'Please enter an email address to send the test email to.'
/** Specification, section 8. */
export const testEmailFailed = 'Failed to send test email'

export const mailRoutes = {
  sendTestEmail: {
    summary: 'Send the approval mail with sample values to an address; three per hour',
    access: 'user',
    body: z.strictObject({
      email: z
        .string({ error: testEmailMissing })
        .trim()
        .min(1, testEmailMissing)
        .max(254)
        .pipe(z.email('Please enter a valid email address')),
    }),
    answer: z.strictObject({ message: z.string() }),
    status: 200,
    repeatable: 'naturally',
  },
} as const satisfies Section
