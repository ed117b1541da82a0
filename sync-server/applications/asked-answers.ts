import type { CustomAnswer } from '#shared/domain/application.ts'
import type { EventRow } from '../db/tables.ts'

/**
 * The answers to questions that the event asks or has asked, the first one to each. An application may have been written on a
 * phone without a network before the organizer changed the questions, so what was asked then is kept. What nobody ever asked
 * is left out: it would stand before the organizer as if it had been their own question.
 * @param answeredBefore answers that are stored already, whose questions were asked
 */
export function askedAnswers(
  answers: readonly CustomAnswer[],
  { custom_questions: now, asked_questions: before }: Pick<EventRow, 'custom_questions' | 'asked_questions'>,
  answeredBefore: readonly CustomAnswer[] = [],
): CustomAnswer[] {
  const asked = new Set([...now, ...before, ...answeredBefore.map(({ question }) => question)])
  return answers.filter(({ question }) => asked.delete(question))
}
