import type { OwnApplication } from '#shared/api/own-application.ts'
import { defaultQuestions } from '#shared/domain/application-questions.ts'

/** One thing an applicant wrote, under the words it was asked with. */
export interface WrittenLine {
  readonly term: string
  readonly detail: string
}

/** Everything an applicant wrote, in the order of the form; what was left empty is left out. */
export function writtenLines(application: OwnApplication): WrittenLine[] {
  const { firstName, lastName, email, phone, company, jobTitle, linkedinUrl } = application
  const lines: [string, string | null][] = [
    ['Name', `${firstName} ${lastName}`],
    ['Email', email],
    ['Phone', phone],
    ['Company', company],
    ['Job title', jobTitle],
    ['LinkedIn profile', linkedinUrl],
    ...defaultQuestions.map(({ field, text }): [string, string] => [text, application[field]]),
    ...application.customAnswers.map(({ question, answer }): [string, string] => [
      question.trimEnd().replace(/\s*\*$/, ''),
      answer,
    ]),
  ]
  return lines.flatMap(([term, detail]) => (detail ? [{ term, detail }] : []))
}
