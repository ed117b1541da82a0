import {
  type ApplicationFields,
  type CustomAnswer,
  missingAnswers,
  termsVersion,
} from '#shared/applications/application.ts'
import { eventCancelledMessage } from '#shared/events/cancellation.ts'
import { newId } from '#shared/record/new-id.ts'
import { applicationsAreOpen, applicationsClosedMessage, isSentLate } from '#shared/time/event-time.ts'
import type { HandlerCall, HandlerObject } from '../calls/handler.ts'
import { ProblemError } from '../calls/problems.ts'
import type { ApplicationRow } from '../db/rows/application-rows.ts'
import type { EventRow } from '../db/rows/event-rows.ts'
import { isUsedId } from '../db/used-ids.ts'
import { eventNotFound } from '../events/event-policy.ts'
import { isClosedToAll } from '../events/event-presenter.ts'
import { countExpected, findEventForShare, isVisible } from '../events/event-store.ts'
import { queueMails } from '../mail/mail-store.ts'
import { queueAlert } from './alerts/new-application-alerts.ts'
import { findApplied, insertApplication } from './application-store.ts'
import { hashToken, tokenOf } from './application-token.ts'
import { acknowledgementOf } from './mails/acknowledgement.ts'
import { queueOrganizerMail } from './organizer-news.ts'

/** A faster form was filled in by a program (security decision). */
const fastestPersonMs = 3000

export const applyAsBeacon: HandlerObject<'applyAsBeacon'> = {
  make: async (call) => {
    const { row, token } = await takeApplication(call)
    return receiptOf(row, token)
  },
  find: async (call: HandlerCall<'applyAsBeacon'>) => {
    if (!(await isVisible(call.db, call.params.eventId))) throw eventNotFound()
    await sendLinkAgain(call)
  },
  present: async ({ db, key }, { docId: id }) => {
    const row = id === null ? undefined : await db('applications').where({ id }).first()
    if (!row) throw new ProblemError('not_found', 'Application not found')
    return receiptOf(row, await tokenOf(db, row.id, key))
  },
}

/** `key` is the volunteer's, also when another person brings the application. */
export type Applying = Pick<
  HandlerCall<'applyAsBeacon'>,
  'db' | 'now' | 'params' | 'body' | 'key' | 'again' | 'address' | 'spend' | 'touch'
>

export interface Taken {
  readonly row: ApplicationRow
  /** It opens the applicant's own page. */
  readonly token: string
}

export async function takeApplication(call: Applying): Promise<Taken> {
  const { db, now, params } = call
  refusePrograms(call)
  const event = await findEventForShare(db, params.eventId)
  if (!event) throw eventNotFound()
  const { website: _, filledInMs: __, id = newId(), token: shown, cameFrom = null, finishedAt, ...given } = call.body
  const token = await tokenOf(db, id, call.key)
  const present = await db('applications').where({ id }).first()
  if (present) {
    if (present.statusTokenHash !== hashToken(token)) throw idTaken()
    return { row: present, token }
  }
  // Taken before a restore, as its token shows: it comes back as it was, without mail or alert.
  const isBack = call.again && shown === token
  const sentLate = !isBack && (await refuseWhenClosed(call, event, finishedAt)) === 'late'
  // Its questions may come back later.
  const fields = isBack ? given : answeredFields(given, event)
  if (await findApplied(db, event.id, fields.email)) throw appliedBefore()
  // By address alone and only what is stored: the event stays open to all other addresses.
  await call.spend('application-address', call.address)
  const row = await insertApplication(db, {
    id,
    eventId: event.id,
    fields,
    cameFrom,
    tokenHash: hashToken(token),
    termsVersion,
    sentLate,
    now,
  })
  if (!row) throw (await findApplied(db, event.id, fields.email)) ? appliedBefore() : idTaken()
  if (await isUsedId(db, 'application', id)) throw idTaken()
  if (!isBack) await tellOf(call, event, row)
  call.touch({ what: 'application', id: row.id, organizerId: event.organizerId })
  return { row, token }
}

function receiptOf({ id, eventId, firstName, lastName, status }: ApplicationRow, token: string) {
  return { id, eventId, firstName, lastName, status, token }
}

async function tellOf(call: Applying, event: EventRow, row: ApplicationRow): Promise<void> {
  const { db, now } = call
  await queueAlert(db, row, now)
  await queueMails(db, await acknowledgementOf(call, row))
  await queueOrganizerMail(db, event.organizerId, row, now)
}

const idTaken = () => new ProblemError('already_exists', 'Another application has this id.')

const appliedBefore = () =>
  new ProblemError(
    'duplicate_application',
    'Thank you, but we already have your application for this event. We have sent the link to your own page to this address.',
  )

const hourMs = 3_600_000

/**
 * Goes to the address of an earlier application, at most once an hour: applicants who lost the link get it, and
 * strangers who type another person's address learn nothing. It runs outside of what the refusal undoes.
 */
async function sendLinkAgain({ db, params, body, now, spend }: HandlerCall<'applyAsBeacon'>): Promise<void> {
  const earlier = await findApplied(db, params.eventId, body.email)
  if (!earlier || earlier.id === body.id) return
  const sent = db('mails').where({ kind: 'acknowledgement', applicationId: earlier.id })
  if (await sent.where('createdAt', '>', new Date(now.getTime() - hourMs)).first('id')) return
  const mails = await acknowledgementOf({ spend, now }, earlier)
  const hour = Math.floor(now.getTime() / hourMs)
  await queueMails(
    db,
    mails.map((mail) => ({ ...mail, key: `${mail.key}:${hour}`, payload: { isAskedFor: true } })),
  )
}

/** Refused openly: pretended success would lose the application of a person whose browser fills hidden fields. */
function refusePrograms({ body }: Applying): void {
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

/** Applications that were finished before the deadline are taken for a day after it. */
export async function refuseWhenClosed(
  call: Pick<HandlerCall<'applyAsBeacon' | 'applyAgain'>, 'db' | 'now'>,
  event: EventRow,
  finishedAt: string | undefined,
): Promise<'open' | 'late'> {
  if (event.cancelledAt !== null) throw new ProblemError('not_allowed_now', eventCancelledMessage)
  const expected = event.maxBeacons === null ? 0 : await countExpected(call.db, event.id)
  const intake = { ...event, applicationsClosed: isClosedToAll(event, expected) }
  if (applicationsAreOpen(intake, call.now)) return 'open'
  if (finishedAt !== undefined && isSentLate(intake, new Date(finishedAt), call.now)) return 'late'
  throw new ProblemError('not_allowed_now', applicationsClosedMessage)
}

/** Drops answers to questions never asked. Throws `invalid_input` naming required questions without an answer. */
export function answeredFields<F extends ApplicationFields>(
  given: F,
  event: EventRow,
  { answeredBefore = [] }: { readonly answeredBefore?: readonly CustomAnswer[] } = {},
): F {
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
