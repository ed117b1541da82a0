import {
  type ApplicationFields,
  type CustomAnswer,
  missingAnswers,
  termsVersion,
} from '#shared/applications/application.ts'
import { newId } from '#shared/record/new-id.ts'
import type { Routes } from '#shared/api/routes.ts'
import type { Answer } from '#shared/contract/route.ts'
import { applicationsAreOpen, applicationsClosedMessage } from '#shared/time/event-time.ts'
import type { Handler, HandlerCall } from '../calls/handler.ts'
import { ProblemError } from '../calls/problems.ts'
import type { ApplicationRow } from '../db/rows/application-rows.ts'
import type { EventRow } from '../db/rows/event-rows.ts'
import { eventNotFound } from '../events/event-policy.ts'
import { isClosedToAll } from '../events/event-presenter.ts'
import { countApproved, findEventToRelyOn, isVisible } from '../events/event-store.ts'
import { wentBackLately } from '../feed/epoch.ts'
import { insertJob } from '../jobs/job-store.ts'
import { queueMails } from '../mail/mail-store.ts'
import { hasApplied, insertApplication } from './application-store.ts'
import { hashToken, tokenOf } from './application-token.ts'
import { acknowledgementOf } from './mails/acknowledgement.ts'
import { queueOrganizerMail } from './organizer-news.ts'

/** A faster form was filled in by a program (security decision). */
const fastestPersonMs = 3000

/** Applications within this time share one alert. */
const alertDelayMs = 5000

export const applyAsBeacon: Handler<'applyAsBeacon'> = Object.assign(apply, {
  find: async ({ db, params }: HandlerCall<'applyAsBeacon'>) => {
    if (!(await isVisible(db, params.eventId))) throw eventNotFound()
  },
})

async function apply(call: HandlerCall<'applyAsBeacon'>): Promise<Answer<Routes['applyAsBeacon']>> {
  const { db, now, params } = call
  refusePrograms(call)
  const event = await findEventToRelyOn(db, params.eventId)
  if (!event) throw eventNotFound()
  const { website: _, filledInMs: __, id = newId(), token: shown, cameFrom = null, ...given } = call.body
  const token = await tokenOf(db, id, call.key)
  const present = await db('applications').where({ id }).first()
  if (present) {
    if (present.statusTokenHash !== hashToken(token)) throw idTaken()
    return receiptOf(present, token)
  }
  // Taken before a restore, as its token shows: it comes back as it was, without mail or alert.
  const isBack = call.again && shown === token && (await wentBackLately(db))
  if (!isBack) await refuseWhenClosed(call, event)
  const fields = answeredFields(given, event, { wasTaken: isBack })
  if (await hasApplied(db, event.id, fields.email)) throw appliedBefore()
  // By address alone and only what is stored: the event stays open to all other addresses.
  await call.spend('application-address', call.address)
  const row = await insertApplication(db, {
    id,
    eventId: event.id,
    fields,
    cameFrom,
    tokenHash: hashToken(token),
    termsVersion,
    now,
  })
  if (!row) throw (await hasApplied(db, event.id, fields.email)) ? appliedBefore() : idTaken()
  if (!isBack) await tellOf(call, event, row)
  call.touch({ what: 'application', id: row.id, organizerId: event.organizerId })
  return receiptOf(row, token)
}

function receiptOf({ id, eventId, firstName, lastName, status }: ApplicationRow, token: string) {
  return { id, eventId, firstName, lastName, status, token }
}

async function tellOf(call: HandlerCall<'applyAsBeacon'>, event: EventRow, row: ApplicationRow): Promise<void> {
  const { db, now } = call
  const minute = Math.floor(now.getTime() / 60_000)
  await insertJob(db, {
    kind: 'new-application-push',
    key: `push:event:${event.id}:${minute}`,
    payload: { eventId: event.id },
    runAt: new Date(now.getTime() + alertDelayMs),
  })
  await queueMails(db, await acknowledgementOf(call, row))
  await queueOrganizerMail(db, event.organizerId, row, now)
}

const idTaken = () => new ProblemError('already_exists', 'Another application has this id.')

const appliedBefore = () =>
  new ProblemError('duplicate_application', 'Thank you, but we already have your application for this event.')

/** Refused openly: pretended success would lose the application of a person whose browser fills hidden fields. */
function refusePrograms({ body }: HandlerCall<'applyAsBeacon'>): void {
  if (body.website) {
    const message = 'Please leave this field empty'
    throw new ProblemError('invalid_input', 'Please leave the website field empty and send again.', {
      fields: { website: message },
    })
  }
  if (body.filledInMs !== undefined && body.filledInMs < fastestPersonMs) {
    throw new ProblemError('invalid_input', 'That was very quick. Please check your answers and send again.')
  }
}

async function refuseWhenClosed(call: HandlerCall<'applyAsBeacon'>, event: EventRow): Promise<void> {
  const open = applicationsAreOpen(
    {
      ...event,
      applicationsCloseAt: event.applicationsCloseAt?.toISOString() ?? null,
      applicationsClosed: isClosedToAll(event, event.maxBeacons === null ? 0 : await countApproved(call.db, event.id)),
    },
    call.now,
  )
  if (!open) throw new ProblemError('not_allowed_now', applicationsClosedMessage)
}

interface Circumstances {
  readonly answeredBefore?: readonly CustomAnswer[]
  /** Taken before a restore: its questions may come back later, so it is stored as it was. */
  readonly wasTaken: boolean
}

/** Drops answers to questions never asked. Throws `invalid_input` naming required questions without an answer. */
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
 * The first answer to each question asked now or before: a phone without a network may have shown earlier ones. Others
 * would look like the organizer's own.
 */
function askedAnswers(
  answers: readonly CustomAnswer[],
  { customQuestions: now, askedQuestions: before }: Pick<EventRow, 'customQuestions' | 'askedQuestions'>,
  answeredBefore: readonly CustomAnswer[],
): CustomAnswer[] {
  const asked = new Set([...now, ...before, ...answeredBefore.map(({ question }) => question)])
  return answers.filter(({ question }) => asked.delete(question))
}
