import { type RecordFields, type Values, namesOf, type Asked, type Field } from '../record/record.ts'

/** How often someone has been a Beacon before (specification, section 2). */
export const experienceChoices = ['First time', '1-2 times', '3-5 times', 'More than 5 times'] as const

const anyone = 'anyone'
const organizer = 'organizer'
/** An event may not ask for it: whether it is required depends on the event, see `missingAnswers`. */
const mayBeBlank = true

/**
 * What a volunteer sends. Guests read the fields for anyone of an approved Beacon; the questions are those an event asks unless
 * its organizer turns them off (specification, section 9).
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
  /** To the organizer's own questions. */
  customAnswers: { kind: 'answers', max: 30, label: 'Answers', audience: organizer },
} as const satisfies RecordFields
export type ApplicationFields = Values<typeof applicationRecord>

/** What guests read of an approved Beacon, in the order in which it is shown. */
export const publicFields = ['firstName', 'lastName', 'jobTitle', 'company', 'bio', 'linkedinUrl'] as const
export type PublicField = (typeof publicFields)[number]

/** One part of what guests read that is not what the organizer approved. */
export interface PublicChange {
  readonly field: PublicField
  /** What the organizer approved; null when it was empty. */
  readonly was: string | null
}

type PublicTexts = Readonly<Record<PublicField, string | null>>

/** What of the present text differs from another one. Empty and missing are the same. */
export function publicChanges(approved: PublicTexts, present: PublicTexts): PublicChange[] {
  return publicFields
    .filter((field) => (approved[field] || null) !== (present[field] || null))
    .map((field) => ({ field, was: approved[field] || null }))
}

export type DefaultQuestionField = Asked<typeof applicationRecord>

const questionOf = (name: keyof typeof applicationRecord): string | undefined =>
  (applicationRecord[name] satisfies Field as Field).question

/** The five fields an event asks for unless its organizer turns them off (specification, section 9). */
export const questionnaire = namesOf(applicationRecord).filter(
  (name): name is DefaultQuestionField => questionOf(name) !== undefined,
)

/** The questions they are asked with. */
export const defaultQuestions: readonly { readonly field: DefaultQuestionField; readonly text: string }[] =
  questionnaire.map((field) => ({ field, text: questionOf(field) ?? '' }))

export const bioHint = '100-150 words'

/** A question that must be answered ends in an asterisk. */
export function isRequiredQuestion(question: string): boolean {
  return question.trimEnd().endsWith('*')
}

/** A question as it is asked, without the asterisk. */
export function questionText(question: string): string {
  return question.trimEnd().replace(/\s*\*$/, '')
}

/** The question as it is kept when it must be answered, or need not be. */
export function withRequired(question: string, isRequired: boolean): string {
  return isRequired ? `${questionText(question)} *` : questionText(question)
}
