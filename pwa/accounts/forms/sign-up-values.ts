import * as z from 'zod'
import { registerBody } from '#shared/accounts/account-calls.ts'

/** The registration with the password typed twice; the second one is not sent. */
export const signUpValues = z
  .strictObject({ ...registerBody.shape, confirmPassword: z.string() })
  .refine(({ password, confirmPassword }) => password === confirmPassword, {
    path: ['confirmPassword'],
    message: "Passwords don't match",
    // Also while other fields are still wrong: all mistakes are shown at once.
    when: ({ value }) => typeof value === 'object' && value !== null,
  })
