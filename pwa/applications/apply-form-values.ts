import { questionnaire, applicationRecord } from '#shared/applications/application-record.ts'
import { applicationFields, missingAnswers, type ApplicationFields } from '#shared/applications/application.ts'
import { emptyForm, namesOf } from '#shared/record/record.ts'

type Typed = Exclude<keyof ApplicationFields, 'customAnswers'>

const typed = namesOf(applicationRecord).filter((name): name is Typed => name !== 'customAnswers')

/** As typed; also the shape of the draft. */
export interface ApplyFormValues extends Record<Typed, string> {
  /** One per custom question, in the event's order. */
  answers: string[]
  agreeTerms: boolean
  /** A honeypot: only programs fill it in. */
  website: string
}

interface Questions {
  readonly showDefaultQuestions: boolean
  readonly customQuestions: readonly string[]
}

const agreeTermsMessage = 'You must agree to the terms'

export function emptyApplyForm(event: Questions): ApplyFormValues {
  const { customAnswers: _, ...texts } = emptyForm(applicationRecord)
  return {
    ...(texts as Record<Typed, string>),
    answers: event.customQuestions.map(() => ''),
    agreeTerms: false,
    website: '',
  }
}

/** Leaves out answers to questions that are not asked any more. */
export function applyFormOf(fields: Partial<ApplicationFields>, event: Questions): ApplyFormValues {
  const values = emptyApplyForm(event)
  for (const name of typed) values[name] = fields[name] ?? ''
  const given = new Map(fields.customAnswers?.map(({ question, answer }) => [question, answer] as const))
  return { ...values, answers: event.customQuestions.map((question) => given.get(question) ?? '') }
}

export const personalFields = typed.filter((name) => !questionnaire.some((asked) => asked === name))

/** For another event: what was asked about that one alone is left out. */
export function prefilledForm(fields: ApplicationFields, event: Questions): ApplyFormValues {
  return applyFormOf({ ...fields, whyBeacon: '', customAnswers: [] }, event)
}

/** How many answers keep the form from being sent. */
export function countMissing(values: ApplyFormValues, event: Questions): number {
  const checked = checkApplication(values, event)
  return 'errors' in checked ? Object.keys(checked.errors).length : 0
}

export type CheckedApplication =
  | { readonly fields: ApplicationFields }
  /** Path of a form field → what is wrong with it. */
  | { readonly errors: Readonly<Record<string, string>> }

/** All mistakes at once, by the server's rules (shared/applications/application.ts). */
export function checkApplication(values: ApplyFormValues, event: Questions): CheckedApplication {
  const { answers, agreeTerms, website: _, ...texts } = values
  const customAnswers = event.customQuestions
    .map((question, index) => ({ question, answer: answers[index]?.trim() ?? '' }))
    .filter(({ answer }) => answer !== '')
  const errors: Record<string, string> = {}
  const parsed = applicationFields.safeParse({ ...withoutHidden(texts, event), customAnswers })
  for (const issue of parsed.error?.issues ?? []) {
    const path = formPath(issue.path, customAnswers, event)
    errors[path] ??= issue.message
  }
  const trimmed = parsed.data ?? { ...blankTexts, ...trimmedTexts(texts), customAnswers }
  for (const [path, message] of Object.entries(missingAnswers(trimmed as ApplicationFields, event))) {
    errors[path.replace('customAnswers', 'answers')] ??= message
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

/** Maps a path of the sent body to the form's: answers stand at their question's index. */
function formPath(path: readonly PropertyKey[], sent: readonly { question: string }[], event: Questions): string {
  if (path[0] !== 'customAnswers') return path.map(String).join('.')
  const question = sent[Number(path[1])]?.question
  return `answers.${event.customQuestions.findIndex((candidate) => candidate === question)}`
}

/** Keeps earlier answers to questions that the event dropped: the applicant did not mean to remove them. */
export function correctedFields(
  before: ApplicationFields,
  checked: ApplicationFields,
  event: Questions,
): ApplicationFields {
  const unasked = before.customAnswers.filter(({ question }) => !event.customQuestions.includes(question))
  const customAnswers = [...checked.customAnswers, ...unasked].slice(0, mostAnswers)
  if (event.showDefaultQuestions) return { ...checked, customAnswers }
  const unaskedFields = Object.fromEntries(questionnaire.map((name) => [name, before[name]]))
  return { ...checked, ...unaskedFields, customAnswers }
}

/** The server's limit. */
const mostAnswers = 30
