import { type RecordFields, type Values, namesOf, type Asked, type Field } from '../record/record.ts'

/** The specification has these choices (section 2). */
export const experienceChoices = ['First time', '1-2 times', '3-5 times', 'More than 5 times'] as const

/** Limits an organizer's note. */
export const longestNote = 2000

const anyone = 'anyone'
const organizer = 'organizer'
/** Whether it is required depends on the event, see `missingAnswers`. */
const mayBeBlank = true

/**
 * Guests read an approved Beacon's fields for anyone; organizers may turn the questions off (specification, section 9).
 */
export const applicationRecord = {
  firstName: { kind: 'text', required: true, max: 80, label: 'First name', audience: anyone },
  lastName: { kind: 'text', required: true, max: 80, label: 'Last name', audience: anyone },
  email: { kind: 'email', required: true, label: 'Email', audience: organizer },
  phone: { kind: 'text', max: 40, label: 'Phone', audience: organizer },
  linkedinUrl: {
    kind: 'url',
    host: 'linkedin.com',
    label: 'LinkedIn',
    audience: anyone,
    message: 'Please enter the address of a LinkedIn profile',
  },
  company: { kind: 'text', max: 120, label: 'Company', audience: anyone },
  jobTitle: { kind: 'text', max: 120, label: 'Job title', audience: anyone },
  topics: { kind: 'text', max: 160, label: 'Topics', audience: anyone },
  experience: {
    kind: 'choice',
    of: experienceChoices,
    mayBeBlank,
    label: 'Experience',
    question: 'How often have you been a Beacon or networking host before?',
    audience: organizer,
  },
  expertise: {
    kind: 'text',
    mayBeBlank,
    max: 2000,
    label: 'Expertise',
    question: 'What are your areas of expertise?',
    audience: organizer,
  },
  whyBeacon: {
    kind: 'text',
    mayBeBlank,
    max: 3000,
    label: 'Why Beacon',
    question: 'Why do you want to be a Beacon at this event?',
    audience: organizer,
  },
  networkingStyle: {
    kind: 'text',
    mayBeBlank,
    max: 2000,
    label: 'Networking Style',
    question: 'How would you describe your networking style?',
    audience: organizer,
  },
  bio: {
    kind: 'text',
    mayBeBlank,
    max: 3000,
    label: 'Bio',
    question: 'A short bio for the event page',
    audience: anyone,
  },
  /** These answer the organizer's own questions. */
  customAnswers: { kind: 'answers', max: 30, label: 'Answers', audience: organizer },
} as const satisfies RecordFields
export type ApplicationFields = Values<typeof applicationRecord>

export const publicFields = ['firstName', 'lastName', 'jobTitle', 'company', 'topics', 'bio', 'linkedinUrl'] as const
/** Guests see the texts and the photo. */
export const publicParts = [...publicFields, 'faceHash'] as const
export type PublicPart = (typeof publicParts)[number]

export interface PublicChange {
  readonly field: PublicPart
  /** The organizer approved this text; null means that it was empty. */
  readonly was: string | null
}

type PublicParts = Readonly<Record<PublicPart, string | null>>

/** Empty and missing are the same. */
export function publicChanges(approved: PublicParts, present: PublicParts): PublicChange[] {
  return publicParts
    .filter((field) => (approved[field] || null) !== (present[field] || null))
    .map((field) => ({ field, was: approved[field] || null }))
}

export type DefaultQuestionField = Asked<typeof applicationRecord>

const questionOf = (name: keyof typeof applicationRecord): string | undefined =>
  (applicationRecord[name] satisfies Field as Field).question

/** The specification lists these questions (section 9). */
export const questionnaire = namesOf(applicationRecord).filter(
  (name): name is DefaultQuestionField => questionOf(name) !== undefined,
)

export const defaultQuestions: readonly { readonly field: DefaultQuestionField; readonly text: string }[] =
  questionnaire.map((field) => ({ field, text: questionOf(field) ?? '' }))

export const bioHint = '100-150 words'

/** It ends in an asterisk. */
export function isRequiredQuestion(question: string): boolean {
  return question.trimEnd().endsWith('*')
}

export function questionText(question: string): string {
  return question.trimEnd().replace(/\s*\*$/, '')
}

/** Adds or removes the asterisk. */
export function withRequired(question: string, isRequired: boolean): string {
  return isRequired ? `${questionText(question)} *` : questionText(question)
}
