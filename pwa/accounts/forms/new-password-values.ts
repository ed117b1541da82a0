import * as z from 'zod'
import { resetPasswordBody } from '#shared/accounts/account-link-calls.ts'

/** A new password typed twice; the second one is not sent. */
export const newPasswordValues = z
  .strictObject({ password: resetPasswordBody.shape.password, confirmPassword: z.string() })
  .refine(({ password, confirmPassword }) => password === confirmPassword, {
    path: ['confirmPassword'],
    message: "Passwords don't match",
    // Also while the first one is still too short: all mistakes are shown at once.
    when: ({ value }) => typeof value === 'object' && value !== null,
  })
