import { saveApplicantPhone } from '../alerts/applicant-phone-store.ts'
import { storedEndpoint, acceptSubscription } from '../alerts/push-endpoints.ts'
import { wentBackLately } from '../feed/epoch.ts'
import { answeredFields } from './application-creation.ts'
import type { ApplicationRow } from '../db/rows/application-rows.ts'
import type { EventRow } from '../db/rows/event-rows.ts'
import { findEvent } from '../events/event-store.ts'
import { beforeTransaction, type Handler, type HandlerCall, type Handlers } from '../calls/handler.ts'
import { ProblemError } from '../calls/problems.ts'
import { storeFace } from '../pictures/picture-store.ts'
import { faceShape, rewritePicture, type RewrittenPicture } from '../pictures/rewrite-picture.ts'
import { cancelMails } from '../mail/mail-store.ts'
import { presentWritten } from './application-presenter.ts'
import { findToDecideOn, type ToDecideOn } from './application-store.ts'
import { cameByMail } from './application-token.ts'
import { mailKey } from './application-decision.ts'
import { tellOrganizer } from './organizer-news.ts'
import {
  findByToken,
  findOwn,
  listFellowBeacons,
  recordComing,
  noteApprovedAs,
  noteLinkOpened,
  recordWithdrawal,
  rewriteApplication,
  unknownToken,
} from './own-application-store.ts'
import type { Knex } from 'knex'
import { judgeComing } from '#shared/applications/coming.ts'
import type { OwnApplication } from '#shared/applications/own-application-calls.ts'
import type { Ruling } from '../../shared/contract/problem.ts'
import { hasEnded } from '../../shared/time/event-time.ts'

type OwnRoute =
  | 'getOwnApplication'
  | 'correctApplication'
  | 'withdrawApplication'
  | 'sayComing'
  | 'setFace'
  | 'removeFace'

/** Before anything is counted. */
const find = async (call: HandlerCall<Exclude<OwnRoute, 'getOwnApplication'>>) =>
  void (await findOwn(call, call.body.token))

async function lockOwn({ db }: HandlerCall<OwnRoute>, token: string): Promise<{ row: ToDecideOn; event: EventRow }> {
  const id = (await findByToken(db, token))?.id
  const row = id === undefined ? undefined : (await findToDecideOn(db, [id])).get(id)
  const event = row && (await findEvent(db, row.eventId))
  if (!event) throw unknownToken()
  return { row, event }
}

/** A mail's link shows that the applicant reads the mailbox: mails may greet them by name. */
const getOwnApplication: Handler<'getOwnApplication'> = async (call) => {
  const row = await findOwn(call, call.applicationToken)
  if (row.linkOpenedAt === null && (await cameByMail(call.db, call.applicationToken ?? '', row)))
    await noteLinkOpened(call.db, row, call.now)
  return { ...presentWritten(row), ...(await briefingOf(call.db, row)) }
}

/** Only an approved Beacon gets it. */
async function briefingOf(db: Knex, row: ApplicationRow): Promise<Pick<OwnApplication, 'briefing'>> {
  const event = row.status === 'approved' ? await findEvent(db, row.eventId) : undefined
  if (!event) return {}
  const { beaconInstructions: instructions, promoCode } = event
  return { briefing: { instructions, promoCode, beacons: await listFellowBeacons(db, row) } }
}

const sayComing: Handler<'sayComing'> = async (call) => {
  const { token, coming } = call.body
  const { row, event } = await lockOwn(call, token)
  const ruling = judgeComing(row, coming, event, call.now)
  if (typeof ruling === 'object') throw new ProblemError(ruling.refused, ruling.message)
  if (ruling === 'already') return presentWritten(row)
  const said = await recordComing(call.db, row.id, coming)
  call.touch({ what: 'application', id: row.id, organizerId: event.organizerId })
  call.touch({ what: 'opening', id: event.id, organizerId: event.organizerId })
  if (!coming) await tellOrganizer(call.db, event.organizerId, row, 'absent', call.now)
  return presentWritten(said)
}

/**
 * State and basis stay, so that no decision conflicts. Guests read it at once, and the organizer sees it beside what
 * they approved.
 */
const correctApplication: Handler<'correctApplication'> = async (call) => {
  const { token, ...given } = call.body
  const { row, event } = await lockOwn(call, token)
  const ruling = judgeCorrection(row, event, call.now)
  if (typeof ruling === 'object') throw new ProblemError(ruling.refused, ruling.message)
  const wasTaken = call.again && (await wentBackLately(call.db))
  const fields = answeredFields(given, event, { answeredBefore: row.customAnswers, wasTaken })
  const corrected = await rewriteApplication(call.db, row.id, fields)
  if (!corrected) {
    throw new ProblemError('duplicate_application', 'We already have another application with this email address.', {
      fields: { email: 'We already have an application with this address' },
    })
  }
  const isBeacon = corrected.status === 'approved'
  const { row: noted, isNews } = isBeacon
    ? await noteApprovedAs(call.db, row, corrected, call.now)
    : { row: corrected, isNews: false }
  call.touch({ what: 'application', id: row.id, organizerId: event.organizerId })
  if (isNews) await tellOrganizer(call.db, event.organizerId, row, 'changed', call.now)
  return presentWritten(noted)
}

async function changeFace(
  call: HandlerCall<'setFace' | 'removeFace'>,
  picture: RewrittenPicture | null,
): Promise<ReturnType<typeof presentWritten>> {
  const { row, event } = await lockOwn(call, call.body.token)
  const faceHash = picture?.sha256 ?? null
  if (row.faceHash === faceHash) return presentWritten(row)
  const ruling = picture ? judgeCorrection(row, event, call.now) : 'change'
  if (typeof ruling === 'object') throw new ProblemError(ruling.refused, ruling.message)
  await storeFace(call.db, row.id, picture, call.now)
  call.touch({ what: 'application', id: row.id, organizerId: event.organizerId })
  return presentWritten({ ...row, faceHash })
}

const setFace = beforeTransaction<'setFace'>(async (before) => {
  const { id } = await findOwn(before, before.body.token)
  await before.spend('picture', `application:${id}`)
  const picture = await rewritePicture(before.body.picture, faceShape)
  return async (call) => await changeFace(call, picture)
})

const removeFace: Handler<'removeFace'> = async (call) => await changeFace(call, null)

/** A second time changes nothing. A held decision mail is cancelled. */
const withdrawApplication: Handler<'withdrawApplication'> = async (call) => {
  const { row, event } = await lockOwn(call, call.body.token)
  if (row.withdrawnAt) return presentWritten(row)
  await storeFace(call.db, row.id, null, call.now)
  const withdrawn = await recordWithdrawal(call.db, { row, key: call.key, now: call.now })
  const { organizerId } = event
  call.touch({ what: 'application', id: row.id, organizerId })
  if (row.status === 'approved') call.touch({ what: 'opening', id: event.id, organizerId })
  await cancelMails(call.db, [mailKey(row)])
  if (row.status === 'approved') await tellOrganizer(call.db, organizerId, row, 'withdrawn', call.now)
  return presentWritten(withdrawn)
}

export const ownApplicationHandlers = {
  getOwnApplication,
  correctApplication: Object.assign(correctApplication, { find }),
  sayComing: Object.assign(sayComing, { find }),
  setFace: Object.assign(setFace, { find }),
  removeFace: Object.assign(removeFace, { find }),
  withdrawApplication: Object.assign(withdrawApplication, {
    find,
    present: async (call: HandlerCall<'withdrawApplication'>) => presentWritten(await findOwn(call, call.body.token)),
  }),
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
