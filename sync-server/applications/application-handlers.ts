import { isExpected } from '#shared/applications/coming.ts'
import { judgeMark, marked } from '#shared/applications/mark.ts'
import type { EventDays } from '#shared/time/event-time.ts'
import { findEvent, isVisible } from '../events/event-store.ts'
import { queueOpening } from '../events/opening.ts'
import { eventNotFound, requireOwner } from '../events/event-policy.ts'
import type { Make, Handlers, HandlerCall } from '../calls/handler.ts'
import { ProblemError } from '../calls/problems.ts'
import { signedIn } from '../calls/access.ts'
import type { ApplicationRow } from '../db/rows/application-rows.ts'
import { idsOfPage, jsonArray, listFeedTexts } from '../feed/change-feed.ts'
import { presentApplication, presentDecision } from './application-presenter.ts'
import {
  listApplicationIds,
  listDecided,
  findToDecideOn,
  findFace,
  listAllDecisions,
  updateMarks,
  type MarkColumns,
} from './application-store.ts'
import { applyAsBeacon } from './application-creation.ts'
import { correctEmail } from './correct-email.ts'
import { handInApplication } from './handed-in.ts'
import { addWalkIn } from './walk-in.ts'
import { decideApplications } from './application-decision.ts'

const marksOfDoor: ReadonlySet<string> = new Set(['present', 'day', 'seenAt', 'post'])

/** The newest value of each field counts. A note that its writer had not seen is kept next to the newest. */
const markApplication: Make<'markApplication'> = async (call) => {
  const { organizerId, role } = signedIn(call)
  const { beaconId } = call.params
  const found = (await findToDecideOn(call.db, [beaconId], organizerId)).get(beaconId)
  // A stranger's application looks like one that does not exist.
  if (!found || (role === 'door' && found.row.status !== 'approved'))
    throw new ProblemError('not_found', 'Application not found')
  if (role === 'door' && Object.keys(call.body).some((mark) => !marksOfDoor.has(mark)))
    throw new ProblemError('forbidden', 'At the door you can say who is here and give posts.')
  const { row } = found
  const event = call.body.present === undefined ? undefined : await findEvent(call.db, row.eventId)
  const ruling = judgeMark(row, call.body, event && { ...event, now: call.now })
  if (typeof ruling === 'object')
    throw new ProblemError(ruling.refused, ruling.message, { current: presentApplication(found) })
  const marks = columnsAfter(row, call, event)
  const isNew =
    marks.note !== row.note ||
    marks.otherNotes !== row.otherNotes ||
    marks.approvedAs !== row.approvedAs ||
    marks.starred !== row.starred ||
    marks.post !== row.post ||
    marks.arrivedAt?.getTime() !== row.arrivedAt?.getTime() ||
    JSON.stringify(marks.presence) !== JSON.stringify(row.presence)
  if (isNew) await updateMarks(call.db, row.id, marks)
  if (isNew) call.touch({ what: 'application', id: row.id, organizerId })
  if (isExpected(row) !== isExpected({ ...row, ...marks })) await queueOpening(call.db, row.eventId)
  return presentApplication({ ...found, row: { ...row, ...marks } })
}

function columnsAfter(
  row: ApplicationRow,
  { body, caller, device, now }: Pick<HandlerCall<'markApplication'>, 'body' | 'caller' | 'device' | 'now'>,
  event: EventDays | undefined,
): MarkColumns {
  const { note, otherNotes, starred, arrivedAt, presence, approvedAs, post } = row
  const before = {
    note,
    otherNotes,
    starred,
    arrivedAt: arrivedAt?.toISOString() ?? null,
    presence,
    post: post ?? undefined,
    publicChanges: approvedAs === null ? undefined : { at: approvedAs.changedAt },
  }
  const stoodSince = { at: row.noteAt?.toISOString() ?? null, device: row.noteDevice, by: row.noteBy }
  const after = marked(before, body, { now: now.toISOString(), stoodSince, event })
  const written =
    after.note === note ? row : { noteAt: now, noteDevice: device?.name ?? null, noteBy: caller?.userId ?? null }
  return {
    note: after.note,
    noteAt: written.noteAt,
    noteDevice: written.noteDevice,
    noteBy: written.noteBy,
    otherNotes: after.otherNotes,
    approvedAs: after.publicChanges ? approvedAs : null,
    starred: after.starred,
    post: after.post ?? null,
    arrivedAt: after.arrivedAt === null ? null : new Date(after.arrivedAt),
    presence: after.presence ?? {},
  }
}

const listBeacons: Make<'listBeacons'> = async (call) => {
  if (!(await isVisible(call.db, call.params.id))) throw eventNotFound()
  const ids = await listApplicationIds(call.db, { eventId: call.params.id, status: 'approved' })
  return jsonArray(await listFeedTexts(call.db, 'public', 'beacons', ids.map(String)))
}

const listApplications: Make<'listApplications'> = async (call) => {
  const event = await requireOwner(call.db, call.caller, call.params.id)
  const listed = await listApplicationIds(call.db, { eventId: event.id })
  const page = await idsOfPage(call.db, event.organizerId, 'applications', listed, call.query.after)
  if (!page) throw new ProblemError('not_found', 'Application not found')
  const answer = (await listDecided(call.db, page.ids)).map(presentApplication)
  return page.next === null ? answer : { jsonText: JSON.stringify(answer), next: page.next }
}

const listDecisions: Make<'listDecisions'> = async (call) => {
  const decisions = await listAllDecisions(call.db, signedIn(call).organizerId, call.params.beaconId)
  if (!decisions) throw new ProblemError('not_found', 'Application not found')
  return decisions.map(presentDecision)
}

const getFace: Make<'getFace'> = async (call) => {
  const picture = await findFace(call.db, signedIn(call).organizerId, call.params.beaconId)
  if (!picture) throw new ProblemError('not_found', 'There is no photo.')
  return { picture: picture.toString('base64') }
}

export const applicationHandlers = {
  listBeacons,
  listApplications,
  applyAsBeacon,
  handInApplication,
  addWalkIn: { make: addWalkIn, shows: 'applications' },
  decideApplication: { makeMany: decideApplications, shows: 'applications' },
  markApplication: { make: markApplication, shows: 'applications' },
  correctEmail: { make: correctEmail, shows: 'applications' },
  getFace,
  listDecisions,
} satisfies Partial<Handlers>
