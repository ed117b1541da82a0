import {
  isRequiredQuestion,
  questionnaire,
  type DefaultQuestionField,
  applicationRecord,
  type ApplicationFields,
} from './application-record.ts'
import { inputOf } from '../record/record-schema.ts'

export { experienceChoices, type ApplicationFields } from './application-record.ts'
export type { CustomAnswer } from '../record/record.ts'

/** The version of the text beside the consent box; the server stamps it on each application. */
export const termsVersion = '2026-11'

/** Characters of the organizer's private note about an applicant. */
export const longestNote = 2000

/**
 * What a volunteer sends. The questionnaire may be empty here: whether it is required depends on the event's
 * `showDefaultQuestions`, which `missingAnswers` checks on the phone and on the server alike.
 */
export const applicationFields = inputOf(applicationRecord)

/**
 * Which answers are missing for an event's questions.
 * @returns field path → message; empty when nothing is missing. Custom answers use `customAnswers.{index}`, the index of the question.
 */
export function missingAnswers(
  fields: Pick<ApplicationFields, DefaultQuestionField | 'customAnswers'>,
  event: { showDefaultQuestions: boolean; customQuestions: readonly string[] },
): Record<string, string> {
  const missing: Record<string, string> = {}
  if (event.showDefaultQuestions) {
    for (const name of questionnaire) {
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
