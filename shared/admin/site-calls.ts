import * as z from 'zod'
import type { Section } from '../contract/route.ts'
import { requiredText } from '../record/values.ts'
import { emailAddressOrNull } from '../text/email-address.ts'

const text = (longest: number) =>
  z
    .string()
    .trim()
    .max(longest, `Please keep this under ${longest.toLocaleString('en-US')} characters`)
    .nullable()
    .transform((value) => value || null)

/** A setting that is left out stays. */
export const siteBody = z
  .strictObject({
    operator: text(120),
    supportEmail: emailAddressOrNull,
    imprint: text(4_000),
    /** In the markup of the shipped texts; a body holds at most 64 kB. */
    privacy: text(20_000),
    terms: text(20_000),
  })
  .partial()

const legalText = z.strictObject({ text: z.string(), updatedDate: z.string() }).nullable()

const site = z.strictObject({
  operator: z.string().nullable(),
  supportEmail: z.string().nullable(),
  imprint: z.string().nullable(),
  /** Null means that the shipped text is shown. */
  privacy: legalText,
  terms: legalText,
})
export type Site = z.output<typeof site>

export const planBody = z.strictObject({
  name: requiredText(40, 'Please enter a name'),
  description: requiredText(200, 'Please describe the plan'),
  /** Prices are shown without cents. */
  dollars: z.int('Please enter whole dollars').min(0, 'Please enter whole dollars').max(10_000, 'At most $10,000'),
})

export const siteRoutes = {
  getSite: {
    summary: 'Who runs this site, where to write to, and its own legal texts',
    access: 'anyone',
    answer: site,
  },
  saveSite: {
    summary: 'Change what the site says about its operator; null brings the shipped text back',
    access: 'admin',
    body: siteBody,
    answer: site,
  },
  savePlan: {
    summary: 'Name, describe and price a plan; what was bought stays',
    access: 'admin',
    needsPlans: true,
    body: planBody,
  },
} as const satisfies Section
