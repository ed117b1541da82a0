import type { OwnApplication } from '#shared/applications/own-application-calls.ts'
import { defaultQuestions } from '#shared/applications/application-questions.ts'

/** One thing an applicant wrote, under the words it was asked with. */
export interface WrittenLine {
  readonly term: string
  readonly detail: string
}

/** Everything an applicant wrote, in the order of the form: who they are, and what they answered. What is empty is left out. */
export function writtenLines(application: OwnApplication): { facts: WrittenLine[]; answers: WrittenLine[] } {
  const { firstName, lastName, email, phone, company, jobTitle, linkedinUrl } = application
  return {
    facts: filled([
      ['Name', `${firstName} ${lastName}`],
      ['Email', email],
      ['Phone', phone],
      ['Company', company],
      ['Job title', jobTitle],
      ['LinkedIn profile', linkedinUrl?.replace(/^https?:\/\/(www\.)?/, '') ?? null],
    ]),
    answers: filled([
      ...defaultQuestions.map(({ field, text }): Line => [text, application[field]]),
      ...application.customAnswers.map(({ question, answer }): Line => [
        question.trimEnd().replace(/\s*\*$/, ''),
        answer,
      ]),
    ]),
  }
}

type Line = readonly [term: string, detail: string | null]

const filled = (lines: readonly Line[]): WrittenLine[] =>
  lines.flatMap(([term, detail]) => (detail ? [{ term, detail }] : []))
