import { applicationRecord } from './application-record.ts'
import { namesOf, type Asked, type Field } from '../record/record.ts'

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
