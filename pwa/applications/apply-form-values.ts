import { questionnaire, applicationRecord } from '#shared/applications/application-record.ts'
import { applicationFields, missingAnswers, type ApplicationFields } from '#shared/applications/application.ts'
import { emptyForm, namesOf } from '#shared/record/record.ts'

type Typed = Exclude<keyof ApplicationFields, 'customAnswers'>

const typed = namesOf(applicationRecord).filter((name): name is Typed => name !== 'customAnswers')

/** The values of the apply form as typed: the shape of its draft. */
export interface ApplyFormValues extends Record<Typed, string> {
  /** One answer per custom question, in the event's order. */
  answers: string[]
  agreeTerms: boolean
  /** Not seen by people. A program that fills in every field gives itself away. */
  website: string
}

interface Questions {
  readonly showDefaultQuestions: boolean
  readonly customQuestions: readonly string[]
}

const agreeTermsMessage = 'You must agree to the terms'

/** The form before anything was typed. */
export function emptyApplyForm(event: Questions): ApplyFormValues {
  const { customAnswers: _, ...texts } = emptyForm(applicationRecord)
  return {
    ...(texts as Record<Typed, string>),
    answers: event.customQuestions.map(() => ''),
    agreeTerms: false,
    website: '',
  }
}

/** The form filled with what an application says, to correct it. Answers to questions no longer asked are left out. */
export function applyFormOf(fields: Partial<ApplicationFields>, event: Questions): ApplyFormValues {
  const values = emptyApplyForm(event)
  for (const name of typed) values[name] = fields[name] ?? ''
  const given = new Map(fields.customAnswers?.map(({ question, answer }) => [question, answer] as const))
  return { ...values, answers: event.customQuestions.map((question) => given.get(question) ?? '') }
}

export type CheckedApplication =
  | { readonly fields: ApplicationFields }
  /** Path of a form field → what is wrong with it. */
  | { readonly errors: Readonly<Record<string, string>> }

/**
 * The one check of the apply form: the rules the server applies too (shared/applications/application.ts), an event's own
 * questions, and the consent. All mistakes at once.
 */
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

/** Questions an event does not ask are sent empty, whatever an old draft holds. */
function withoutHidden(texts: Texts, event: Questions): Texts {
  if (event.showDefaultQuestions) return texts
  return { ...texts, ...blankTexts }
}

/** A path of the sent body as the form names it: answers stand at their question's place. */
function formPath(path: readonly PropertyKey[], sent: readonly { question: string }[], event: Questions): string {
  if (path[0] !== 'customAnswers') return path.map(String).join('.')
  const question = sent[Number(path[1])]?.question
  return `answers.${event.customQuestions.findIndex((candidate) => candidate === question)}`
}

/**
 * A correction as it is sent: the form's values, and the earlier answers to questions that the event no longer asks, which
 * the applicant did not mean to remove.
 */
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

/** As many as the server takes. */
const mostAnswers = 30
