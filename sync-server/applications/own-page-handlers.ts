import { saveApplicantPhone } from '../alerts/applicant-phone-store.ts'
import { storedEndpoint, acceptSubscription } from '../alerts/push-endpoints.ts'
import { answeredFields, refuseWhenClosed } from './application-creation.ts'
import type { ApplicationRow } from '../db/rows/application-rows.ts'
import type { EventRow } from '../db/rows/event-rows.ts'
import { presentHiddenEvent } from '../events/event-presenter.ts'
import { findEvent } from '../events/event-store.ts'
import { queueOpening } from '../events/opening.ts'
import type { HandlerCall, Handlers, Make } from '../calls/handler.ts'
import { ProblemError } from '../calls/problems.ts'
import { storeFace } from '../pictures/picture-store.ts'
import type { RewrittenPicture } from '../pictures/picture-child.ts'
import { faceShape, rewritePicture } from '../pictures/rewrite-picture.ts'
import { messageText } from '#shared/mail/message-text.ts'
import { isConfirmed } from '../mail/mail-allowance.ts'
import { cancelMails } from '../mail/mail-store.ts'
import { listMessagesTo } from './message-store.ts'
import { presentOwn } from './application-presenter.ts'
import { findToDecideOn, type OwnedApplication } from './application-store.ts'
import { cameByMail } from './application-token.ts'
import { mailKey } from './application-decision.ts'
import { tellOrganizer } from './organizer-news.ts'
import { remindAgain } from './mails/reminders.ts'
import {
  findByToken,
  findOwn,
  listFellowBeacons,
  recordArrival,
  recordComing,
  noteApprovedAs,
  noteLinkOpened,
  recordApplyingAgain,
  recordWithdrawal,
  rewriteApplication,
  statusBefore,
  unknownToken,
} from './own-application-store.ts'
import type { Knex } from 'knex'
import { judgeApplyingAgain } from '#shared/applications/decide.ts'
import { checkedIn, judgeCheckIn } from '#shared/applications/check-in.ts'
import { isExpected, judgeComing } from '#shared/applications/coming.ts'
import type { OwnApplication } from '#shared/applications/own-application-calls.ts'
import type { Ruling } from '../../shared/contract/problem.ts'
import { hasEnded } from '../../shared/time/event-time.ts'

type OwnRoute =
  | 'getOwnApplication'
  | 'correctApplication'
  | 'withdrawApplication'
  | 'applyAgain'
  | 'sayComing'
  | 'checkIn'
  | 'setFace'
  | 'removeFace'

/** The application is looked for before anything is counted. */
const find = async (call: HandlerCall<Exclude<OwnRoute, 'getOwnApplication'>>) =>
  void (await findOwn(call, call.body.token))

async function lockOwn(
  { db }: HandlerCall<OwnRoute>,
  token: string,
): Promise<{ row: OwnedApplication; event: EventRow }> {
  const id = (await findByToken(db, token))?.id
  const row = id === undefined ? undefined : (await findToDecideOn(db, [id])).get(id)?.row
  const event = row && (await findEvent(db, row.eventId))
  if (!event) throw unknownToken()
  return { row, event }
}

/** A mail's link shows that the applicant reads the mailbox: mails may greet them by name. */
const getOwnApplication: Make<'getOwnApplication'> = async (call) => {
  const row = await findOwn(call, call.applicationToken)
  if (row.linkOpenedAt === null && (await cameByMail(call.db, call.applicationToken ?? '', row)))
    await noteLinkOpened(call.db, row, call.now)
  const event = await presentHiddenEvent(call.db, row.eventId)
  return {
    ...presentOwn(row),
    ...(event && { event }),
    ...(await briefingOf(call.db, row)),
    messages: await messagesTo(call, row),
  }
}

async function messagesTo(
  { db, now }: Pick<HandlerCall<OwnRoute>, 'db' | 'now'>,
  row: ApplicationRow,
): Promise<NonNullable<OwnApplication['messages']>> {
  const event = row.status === 'rejected' ? undefined : await findEvent(db, row.eventId)
  if (!event) return []
  const organizerIsConfirmed = await isConfirmed(db, event.organizerId)
  const messages = await listMessagesTo(db, row, now)
  return messages.map(({ id, body, leavesAt }) => ({
    id,
    text: messageText(body, `${row.firstName} ${row.lastName}`, event, organizerIsConfirmed),
    at: leavesAt.toISOString(),
  }))
}

/** Only an approved Beacon gets it. */
async function briefingOf(db: Knex, row: ApplicationRow): Promise<Pick<OwnApplication, 'briefing'>> {
  const event = row.status === 'approved' ? await findEvent(db, row.eventId) : undefined
  if (!event) return {}
  const { beaconInstructions: instructions, promoCode } = event
  const post = row.post === null ? {} : { post: row.post }
  return { briefing: { instructions, promoCode, ...post, beacons: await listFellowBeacons(db, row) } }
}

const sayComing: Make<'sayComing'> = async (call) => {
  const { token, coming } = call.body
  const { row, event } = await lockOwn(call, token)
  const ruling = judgeComing(row, coming, event, call.now)
  if (typeof ruling === 'object') throw new ProblemError(ruling.refused, ruling.message)
  if (ruling === 'already') return presentOwn(row)
  const said = await recordComing(call.db, row.id, coming)
  // They had no reminder while they were known to stay away.
  if (isExpected(said) && event.remindedFor !== null) await remindAgain(call.db, event.id)
  call.touch({ what: 'application', id: row.id, organizerId: event.organizerId })
  await queueOpening(call.db, event.id)
  if (!isExpected(said)) await tellOrganizer(call.db, event.organizerId, row, 'absent', call.now)
  return presentOwn(said)
}

/** The phone may have waited for a network since; its clock may run ahead. */
const checkIn: Make<'checkIn'> = async (call) => {
  const { token, seenAt: said } = call.body
  const { row, event } = await lockOwn(call, token)
  const seenAt = new Date(Math.min(Date.parse(said), call.now.getTime()))
  const seen = { arrivedAt: row.arrivedAt?.toISOString() ?? null, presence: row.presence }
  const ruling = judgeCheckIn({ status: row.status, ...seen }, seenAt, event, call.now)
  if (typeof ruling === 'object') throw new ProblemError(ruling.refused, ruling.message)
  if (ruling === 'already') return presentOwn(row)
  const arrived = await recordArrival(call.db, row.id, checkedIn(seen, seenAt, event))
  call.touch({ what: 'application', id: row.id, organizerId: event.organizerId })
  if (!isExpected(row)) await queueOpening(call.db, event.id)
  return presentOwn(arrived)
}

/**
 * State and basis stay, so that no decision conflicts. Guests read it at once, and the organizer sees it next to what
 * they approved.
 */
const correctApplication: Make<'correctApplication'> = async (call) => {
  const { token, ...given } = call.body
  const { row, event } = await lockOwn(call, token)
  const ruling = judgeCorrection(row, event, call.now)
  if (typeof ruling === 'object') throw new ProblemError(ruling.refused, ruling.message)
  const fields = answeredFields(given, event, { answeredBefore: row.customAnswers })
  const corrected = await rewriteApplication(call.db, row.id, fields)
  if (!corrected) {
    throw new ProblemError('duplicate_application', 'We already have another application with this email address.', {
      fields: { email: 'We already have an application with this address' },
    })
  }
  return presentOwn(await noteChange(call, event, row, corrected))
}

/** The organizer is notified once guests see of a Beacon what was not approved. */
async function noteChange(
  { db, now, touch }: Pick<HandlerCall<OwnRoute>, 'db' | 'now' | 'touch'>,
  { organizerId }: EventRow,
  before: ApplicationRow,
  changed: ApplicationRow,
): Promise<ApplicationRow> {
  const { row, isNews } =
    changed.status === 'approved' ? await noteApprovedAs(db, before, changed, now) : { row: changed, isNews: false }
  touch({ what: 'application', id: row.id, organizerId })
  if (isNews) await tellOrganizer(db, organizerId, row, 'changed', now)
  return row
}

async function changeFace(
  call: HandlerCall<'setFace' | 'removeFace'>,
  picture: RewrittenPicture | null,
): Promise<ReturnType<typeof presentOwn>> {
  const { row, event } = await lockOwn(call, call.body.token)
  const faceHash = picture?.sha256 ?? null
  if (row.faceHash === faceHash) return presentOwn(row)
  const ruling = picture ? judgeCorrection(row, event, call.now) : 'change'
  if (typeof ruling === 'object') throw new ProblemError(ruling.refused, ruling.message)
  await storeFace(call.db, row.id, picture, call.now)
  return presentOwn(await noteChange(call, event, row, { ...row, faceHash }))
}

async function setFace(before: HandlerCall<'setFace'>): Promise<Make<'setFace'>> {
  const { id } = await findOwn(before, before.body.token)
  const picture = await rewritePicture(before, `application:${id}`, faceShape)
  return async (call) => await changeFace(call, picture)
}

const removeFace: Make<'removeFace'> = async (call) => await changeFace(call, null)

/** A second time changes nothing. A held decision mail is cancelled. */
const withdrawApplication: Make<'withdrawApplication'> = async (call) => {
  const { row, event } = await lockOwn(call, call.body.token)
  if (row.withdrawnAt) return presentOwn(row)
  await storeFace(call.db, row.id, null, call.now)
  const withdrawn = await recordWithdrawal(call.db, { row, key: call.key, now: call.now })
  const { organizerId } = event
  call.touch({ what: 'application', id: row.id, organizerId })
  await cancelMails(call.db, [mailKey(row)])
  if (row.status === 'approved') {
    await queueOpening(call.db, event.id)
    await tellOrganizer(call.db, organizerId, row, 'withdrawn', call.now)
  }
  return presentOwn(withdrawn)
}

/**
 * The rules of applying hold, and it counts as an application of its sender. A second time changes nothing. The
 * organizer is notified; the photo was deleted with the withdrawal.
 */
const applyAgain: Make<'applyAgain'> = async (call) => {
  const { db, now } = call
  const { row, event } = await lockOwn(call, call.body.token)
  const ruling = judgeApplyingAgain(row, await statusBefore(db, row))
  if (typeof ruling === 'object') throw new ProblemError(ruling.refused, ruling.message)
  if (ruling === 'already') return presentOwn(row)
  const sentLate = (await refuseWhenClosed(call, event, call.body.finishedAt)) === 'late'
  await call.spend('application-address', call.address)
  const pending = await recordApplyingAgain(db, { row, key: call.key, sentLate, now })
  call.touch({ what: 'application', id: row.id, organizerId: event.organizerId })
  if (!call.again) await tellOrganizer(db, event.organizerId, row, 'again', now)
  return presentOwn(pending)
}

const present = async (call: HandlerCall<Exclude<OwnRoute, 'getOwnApplication'>>) =>
  presentOwn(await findOwn(call, call.body.token))

export const ownApplicationHandlers = {
  getOwnApplication,
  correctApplication: { make: correctApplication, find, present },
  sayComing: { make: sayComing, find, present },
  checkIn: { make: checkIn, find, present },
  setFace: { before: setFace, find, present },
  removeFace: { make: removeFace, find, present },
  withdrawApplication: { make: withdrawApplication, find, present },
  applyAgain: { make: applyAgain, find, present },
} satisfies Partial<Handlers>

export const applicantPhoneHandlers = {
  tellThisPhone: async (call) => {
    const { id, withdrawnAt } = await findOwn(call, call.body.token)
    if (withdrawnAt) throw new ProblemError('not_allowed_now', 'You have withdrawn this application.')
    const phone = { applicationId: id, ...acceptSubscription(call.body, call.config.pushHosts) }
    if (!(await saveApplicantPhone(call.db, phone))) throw unknownToken()
    return undefined
  },

  stopTellingThisPhone: async (call) => {
    const { id } = await findOwn(call, call.body.token)
    await call
      .db('applicant_phones')
      .where({ applicationId: id, endpoint: storedEndpoint(call.body.endpoint) })
      .del()
    return undefined
  },
} satisfies Partial<Handlers>

/** A correction is taken until the applicant withdraws or the event is over. */
export function judgeCorrection(
  { withdrawnAt }: { readonly withdrawnAt: unknown },
  event: Parameters<typeof hasEnded>[0],
  now: Date,
): Ruling {
  if (withdrawnAt !== null) return { refused: 'not_allowed_now', message: 'You have withdrawn this application.' }
  if (!hasEnded(event, now)) return 'change'
  return { refused: 'not_allowed_now', message: 'This event is over: its applications stay as they are.' }
}
