import * as z from 'zod'
import { emailAddress as email } from '../text/email-address.ts'
import { password } from './account-calls.ts'
import type { Section } from '../contract/route.ts'

/** The text encodes 32 bytes. */
const token = z
  .string()
  .regex(/^[\w-]{43}$/, 'This link is not complete. Please open it in the email once more, or ask for a new one.')

export const forgottenPasswordBody = z.strictObject({ email })
export const resetPasswordBody = z.strictObject({ token, password })
export const emailChangeBody = z.strictObject({ email, password })

const whatHappens = z.strictObject({ message: z.string() })

const linkPurposes = ['reset', 'verify', 'change', 'contact'] as const
export type LinkPurpose = (typeof linkPurposes)[number]

/** A POST spends a link; opening a page changes nothing. */
export const accountLinkRoutes = {
  requestPasswordReset: {
    summary: 'Mail a link for a new password to an address, if an account has it; the answer does not tell',
    access: 'anyone',
    body: forgottenPasswordBody,
    answer: whatHappens,
  },
  readAccountLink: {
    summary: 'What a link in a mail would do, and for which address; 410 when it no longer works',
    access: 'anyone',
    body: z.strictObject({ token }),
    answer: z.strictObject({ purpose: z.enum(linkPurposes), email: z.string() }),
  },
  resetPassword: {
    summary: 'Spend a link for a new password; every other session of the account ends',
    access: 'anyone',
    body: resetPasswordBody,
    answer: z.strictObject({ email: z.string() }),
  },
  confirmEmail: {
    summary: 'Spend a link that shows an address to be the account’s own; a new address takes effect',
    access: 'anyone',
    body: z.strictObject({ token }),
    answer: z.strictObject({ purpose: z.enum(['verify', 'change', 'contact']), email: z.string() }),
  },
  resendVerification: {
    summary: "Mail a new link to confirm the caller's address; nothing when it is confirmed",
    access: 'user',
    answer: whatHappens,
  },
  requestEmailChange: {
    summary: 'Mail a link to a new address; the account gets it when it is confirmed there',
    access: 'user',
    body: emailChangeBody,
    answer: whatHappens,
  },
} as const satisfies Section
