import * as z from 'zod'
import { optionalText, optionalWebAddress, requiredText } from './text.ts'

/** How often someone has been a Beacon before (specification, section 2). */
export const experienceChoices = ['First time', '1-2 times', '3-5 times', 'More than 5 times'] as const

/** The version of the text beside the consent box; the server stamps it on each application. */
export const termsVersion = '2026-11'

/** Characters of the organizer's private note about an applicant. */
export const longestNote = 2000

export const customAnswer = z.strictObject({
  question: z.string().trim().min(1).max(500),
  answer: z.string().trim().max(2000, 'Please keep this under 2000 characters'),
})
export type CustomAnswer = z.output<typeof customAnswer>

const isLinkedIn = (hostname: string) => hostname === 'linkedin.com' || hostname.endsWith('.linkedin.com')

const personal = {
  firstName: requiredText(80),
  lastName: requiredText(80),
  email: z.string().trim().max(254).pipe(z.email('Please enter a valid email address')),
  phone: optionalText(40),
  linkedinUrl: optionalWebAddress('Please enter the address of a LinkedIn profile', isLinkedIn),
  company: optionalText(120),
  jobTitle: optionalText(120),
}

/**
 * What a volunteer sends. The five questionnaire fields may be empty here: whether they are required depends on the
 * event's `showDefaultQuestions`, which `requireAnswers` checks on the phone and on the server alike.
 */
export const applicationFields = z.strictObject({
  ...personal,
  experience: z.union([z.enum(experienceChoices), z.literal('')]).default(''),
  expertise: z.string().trim().max(2000).default(''),
  whyBeacon: z.string().trim().max(3000).default(''),
  networkingStyle: z.string().trim().max(2000).default(''),
  bio: z.string().trim().max(3000).default(''),
  customAnswers: z.array(customAnswer).max(30).default([]),
})
export type ApplicationFields = z.output<typeof applicationFields>

/** A question that must be answered ends in an asterisk. */
export function isRequiredQuestion(question: string): boolean {
  return question.trimEnd().endsWith('*')
}

/**
 * Which answers are missing for an event's questions.
 * @returns field path → message; empty when nothing is missing. Custom answers use `customAnswers.{index}`, the index of the question.
 */
export function missingAnswers(
  fields: Pick<
    ApplicationFields,
    'experience' | 'expertise' | 'whyBeacon' | 'networkingStyle' | 'bio' | 'customAnswers'
  >,
  event: { showDefaultQuestions: boolean; customQuestions: readonly string[] },
): Record<string, string> {
  const missing: Record<string, string> = {}
  if (event.showDefaultQuestions) {
    for (const name of ['experience', 'expertise', 'whyBeacon', 'networkingStyle', 'bio'] as const) {
      if (!fields[name]) missing[name] = 'Required'
    }
  }
  event.customQuestions.forEach((question, index) => {
    if (!isRequiredQuestion(question)) return
    const given = fields.customAnswers.find((candidate) => candidate.question === question)
    if (!given?.answer) missing[`customAnswers.${index}`] = 'Required'
  })
  return missing
}
