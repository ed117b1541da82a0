import { type ApplicationFields, type CustomAnswer, missingAnswers } from '#shared/applications/application.ts'
import type { EventRow } from '../db/rows/event-rows.ts'
import { ProblemError } from '../calls/problems.ts'

interface Circumstances {
  /** Answers that are stored already, whose questions were asked. */
  readonly answeredBefore?: readonly CustomAnswer[]
  /**
   * It was taken before, by a server that went back since. The questions may have gone back with it, and come again with
   * another device's change: it is stored as it was taken then.
   */
  readonly wasTaken: boolean
}

/**
 * What is stored of an application for an event: without answers that nobody asked for.
 * Throws `invalid_input` naming the required questions that are not answered.
 */
export function answeredFields<F extends ApplicationFields>(
  given: F,
  event: EventRow,
  { answeredBefore = [], wasTaken }: Circumstances,
): F {
  if (wasTaken) return given
  const fields = { ...given, customAnswers: askedAnswers(given.customAnswers, event, answeredBefore) }
  const missing = missingAnswers(fields, event)
  if (Object.keys(missing).length === 0) return fields
  throw new ProblemError('invalid_input', 'Please answer every required question.', { fields: missing })
}

/**
 * The answers to questions that the event asks or has asked, the first one to each. An application may have been written on a
 * phone without a network before the organizer changed the questions, so what was asked then is kept. What nobody ever asked
 * is left out: it would stand before the organizer as if it had been their own question.
 */
function askedAnswers(
  answers: readonly CustomAnswer[],
  { customQuestions: now, askedQuestions: before }: Pick<EventRow, 'customQuestions' | 'askedQuestions'>,
  answeredBefore: readonly CustomAnswer[],
): CustomAnswer[] {
  const asked = new Set([...now, ...before, ...answeredBefore.map(({ question }) => question)])
  return answers.filter(({ question }) => asked.delete(question))
}
