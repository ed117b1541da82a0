import { questionnaire, applicationRecord } from '#shared/applications/application-record.ts'
import { applicationFields, missingAnswers, type ApplicationFields } from '#shared/applications/application.ts'
import { emptyForm, namesOf } from '#shared/record/record.ts'

type Typed = Exclude<keyof ApplicationFields, 'customAnswers'>

const typed = namesOf(applicationRecord).filter((name): name is Typed => name !== 'customAnswers')

/** Holds what was typed, and is the shape of the draft. */
export interface ApplyFormValues extends Record<Typed, string> {
  /** Maps the `answerName` of a custom question to its answer: the organizer may change the questions meanwhile. */
  answers: Record<string, string>
  agreeTerms: boolean
  /** A honeypot: only programs fill it in. */
  website: string
}

interface Questions {
  readonly showDefaultQuestions: boolean
  readonly customQuestions: readonly string[]
}

const agreeTermsMessage = 'You must agree to the terms'

/** Names the form field of a custom question by its letters' numbers: dots and brackets have a meaning in a path. */
export const answerName = (question: string): string =>
  `q${Array.from(question, (letter) => letter.codePointAt(0)).join('_')}`

export function emptyApplyForm(): ApplyFormValues {
  const { customAnswers: _, ...texts } = emptyForm(applicationRecord)
  return { ...(texts as Record<Typed, string>), answers: {}, agreeTerms: false, website: '' }
}

/** Has answers to questions that are not asked any more too: they are neither shown nor sent. */
export function applyFormOf(fields: Partial<ApplicationFields>): ApplyFormValues {
  const values = emptyApplyForm()
  for (const name of typed) values[name] = fields[name] ?? ''
  const given = fields.customAnswers?.map(({ question, answer }) => [answerName(question), answer] as const)
  return { ...values, answers: Object.fromEntries(given ?? []) }
}

/** Older drafts list their answers without the questions, which may have changed since: those answers are left out. */
export function restoredForm(start: ApplyFormValues, draft: ApplyFormValues | undefined): ApplyFormValues {
  const answers = Array.isArray(draft?.answers) ? {} : draft?.answers
  return { ...start, ...draft, answers: { ...start.answers, ...answers } }
}

export const personalFields = typed.filter((name) => !questionnaire.some((asked) => asked === name))

/** Fills the form for another event: what was asked about that one alone is left out. */
export function prefilledForm(fields: ApplicationFields): ApplyFormValues {
  return applyFormOf({ ...fields, whyBeacon: '', customAnswers: [] })
}

/** How many answers keep the form from being sent. */
export function countMissing(values: ApplyFormValues, event: Questions): number {
  const checked = checkApplication(values, event)
  return 'errors' in checked ? Object.keys(checked.errors).length : 0
}

export type CheckedApplication =
  | { readonly fields: ApplicationFields }
  /** Maps the path of a form field to what is wrong with it. */
  | { readonly errors: Readonly<Record<string, string>> }

/** Finds all mistakes at once, by the server's rules (shared/applications/application.ts). */
export function checkApplication(values: ApplyFormValues, event: Questions): CheckedApplication {
  const { answers, agreeTerms, website: _, ...texts } = values
  const customAnswers = event.customQuestions
    .map((question) => ({ question, answer: answers[answerName(question)]?.trim() ?? '' }))
    .filter(({ answer }) => answer !== '')
  const errors: Record<string, string> = {}
  const parsed = applicationFields.safeParse({ ...withoutHidden(texts, event), customAnswers })
  for (const issue of parsed.error?.issues ?? []) {
    const path = formPath(issue.path, customAnswers)
    errors[path] ??= issue.message
  }
  const asked = event.customQuestions.map((question) => ({ question }))
  const trimmed = parsed.data ?? { ...blankTexts, ...trimmedTexts(texts), customAnswers }
  for (const [path, message] of Object.entries(missingAnswers(trimmed as ApplicationFields, event))) {
    errors[formPath(path.split('.'), asked)] ??= message
  }
  if (!agreeTerms) errors['agreeTerms'] = agreeTermsMessage
  return parsed.data && Object.keys(errors).length === 0 ? { fields: parsed.data } : { errors }
}

const blankTexts = Object.fromEntries(questionnaire.map((name) => [name, '']))

type Texts = Omit<ApplyFormValues, 'answers' | 'agreeTerms' | 'website'>

const trimmedTexts = (texts: Texts) =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, text.trim()]))

/** Questions that are not asked are sent empty, whatever an old draft holds. */
function withoutHidden(texts: Texts, event: Questions): Texts {
  if (event.showDefaultQuestions) return texts
  return { ...texts, ...blankTexts }
}

/** Maps a path to the form's: that of an answer has the question's index among `questions`. */
function formPath(path: readonly PropertyKey[], questions: readonly { question: string }[]): string {
  if (path[0] !== 'customAnswers') return path.map(String).join('.')
  return `answers.${answerName(questions[Number(path[1])]?.question ?? '')}`
}

/** Keeps earlier answers to questions that the event dropped: the applicant did not mean to remove them. */
export function correctedFields(
  before: ApplicationFields,
  checked: ApplicationFields,
  event: Questions,
): ApplicationFields {
  const unasked = before.customAnswers.filter(({ question }) => !event.customQuestions.includes(question))
  const customAnswers = [...checked.customAnswers, ...unasked].slice(0, maxAnswers)
  if (event.showDefaultQuestions) return { ...checked, customAnswers }
  const unaskedFields = Object.fromEntries(questionnaire.map((name) => [name, before[name]]))
  return { ...checked, ...unaskedFields, customAnswers }
}

/** The server admits no more. */
const maxAnswers = 30
