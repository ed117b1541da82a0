import {
  isRequiredQuestion,
  questionnaire,
  type DefaultQuestionField,
  applicationRecord,
  type ApplicationFields,
} from './application-record.ts'
import { inputOf } from '../record/record-schema.ts'
import { isVisible } from '../text/plain-text.ts'

export { experienceChoices, type ApplicationFields } from './application-record.ts'
export type { CustomAnswer } from '../record/record.ts'

/** Names the text next to the consent box, and is stamped on each application. */
export const termsVersion = '2026-11'

/** The questionnaire may be empty here: see `missingAnswers`. */
export const applicationFields = inputOf(applicationRecord)

/** @returns field path → message; custom answers as `customAnswers.{index}`, the question's index */
export function missingAnswers(
  fields: Pick<ApplicationFields, DefaultQuestionField | 'customAnswers'>,
  event: { showDefaultQuestions: boolean; customQuestions: readonly string[] },
): Record<string, string> {
  const missing: Record<string, string> = {}
  if (event.showDefaultQuestions) {
    for (const name of questionnaire) {
      if (!isVisible(fields[name] ?? '')) missing[name] = 'Required'
    }
  }
  event.customQuestions.forEach((question, index) => {
    if (!isRequiredQuestion(question)) return
    const given = fields.customAnswers.find((candidate) => candidate.question === question)
    if (!isVisible(given?.answer ?? '')) missing[`customAnswers.${index}`] = 'Required'
  })
  return missing
}
