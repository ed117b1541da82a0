import * as z from 'zod'
import type { Section } from '../contract/route.ts'
import { isVisible } from '../text/plain-text.ts'
import { emailAddress as email, emailAddressOrNull } from '../text/email-address.ts'

const passwordMinimum = 6
const usernameMinimum = 3

/** Composed: keyboards send the same letter as one code point or as two. */
export const password = z
  .string()
  .normalize('NFC')
  .min(passwordMinimum, 'Password must be at least 6 characters')
  .max(256, 'Password must be at most 256 characters')

export const loginBody = z.strictObject({ email, password })

const username = z
  .string()
  .trim()
  .min(usernameMinimum, 'Username must be at least 3 characters')
  .max(40, 'Username must be at most 40 characters')
  .refine(isVisible, 'Required')
const organization = z.string().trim().max(120, 'Organization must be at most 120 characters')
const visibleOrNull = (text: string | null | undefined) => (text && isVisible(text) ? text : null)

export const registerBody = z.strictObject({
  username,
  email,
  password,
  organizationName: organization.nullish().transform(visibleOrNull),
})

export const passwordChangeBody = z.strictObject({ currentPassword: password, password })
/** Guards what the open session alone may not do. */
export const currentPasswordBody = z.strictObject({ password })

/**
 * What is left out stays. Another contact address, or none, needs the password. A new one is shown once its reader has opened
 * a link sent to it.
 */
export const profileBody = z.strictObject({
  username: username.optional(),
  organizationName: organization.nullable().transform(visibleOrNull).optional(),
  contactEmail: emailAddressOrNull.optional(),
  password: z
    .union([z.literal(''), password])
    .transform((value) => value || undefined)
    .optional(),
})
export const nameBody = z.strictObject({ username })

const tiers = ['none', 'single', 'multi', 'unlimited'] as const

export const user = z.strictObject({
  id: z.int(),
  username: z.string(),
  email: z.string(),
  /** Of the address; nothing a user does waits for it. */
  emailVerified: z.boolean(),
  organizationName: z.string().nullable(),
  /** Confirmed; shown to guests and the address that answers to applicants' mails go to. */
  contactEmail: z.string().nullable(),
  subscriptionTier: z.enum(tiers),
  subscriptionEndDate: z.string().nullable(),
  isAdmin: z.boolean(),
  createdAt: z.string(),
  /**
   * This is an ISO instant: the account is deleted on the day after it at the latest. It is null unless its owner asked
   * for that.
   */
  deletesAt: z.string().nullable(),
})
export type User = z.output<typeof user>

export const accountRoutes = {
  getUser: { summary: 'The signed-in user; 401 when the caller is signed out', access: 'user', answer: user },
  findSession: {
    summary: 'Who is signed in, or null; for pages that open before anyone may be',
    access: 'anyone',
    answer: z.strictObject({ user: user.nullable() }),
  },
  login: { summary: 'Sign in', access: 'anyone', body: loginBody, answer: user },
  register: {
    summary: 'Create an account and sign in',
    access: 'anyone',
    body: registerBody,
    answer: user,
    status: 201,
  },
  setProfile: {
    summary: 'Change the username, the host of one’s events, and the address applicants and guests may write to',
    access: 'user',
    body: profileBody,
    answer: z.strictObject({ message: z.string() }),
  },
  changePassword: {
    summary: 'Replace the password; every other session of the account ends, and a mail tells its owner',
    access: 'user',
    body: passwordChangeBody,
  },
  downloadData: {
    summary: 'All that is kept about the caller, as the operator’s command hands it out; needs the password',
    access: 'user',
    body: currentPasswordBody,
    answer: z.looseObject({ exportedAt: z.string() }),
  },
  requestAccountDeletion: {
    summary: 'Delete the account after a time of grace; a mail tells its owner. Asked again, the first date stays',
    access: 'user',
    body: currentPasswordBody,
    answer: z.strictObject({ deletesAt: z.string() }),
  },
  keepAccount: {
    summary: 'Take the wish to delete the account back; a mail tells its owner',
    access: 'user',
    body: currentPasswordBody,
  },
  logout: { summary: 'End this session', access: 'anyone' },
} as const satisfies Section
