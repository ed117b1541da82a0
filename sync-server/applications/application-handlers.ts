import { judgeMark, marked } from '#shared/applications/mark.ts'
import { eventNotFound, requireOwner } from '../events/event-policy.ts'
import type { Handler, Handlers, HandlerCall } from '../calls/handler.ts'
import { ProblemError } from '../calls/problems.ts'
import { signedIn } from '../calls/access.ts'
import type { ApplicationRow } from '../db/rows/application-rows.ts'
import { findFeedText, idsOfPage, jsonArray, listFeedTexts } from '../feed/change-feed.ts'
import { presentApplication, presentDecision } from './application-presenter.ts'
import {
  listApplicationIds,
  listDecided,
  findToDecideOn,
  listAllDecisions,
  updateMarks,
  type MarkColumns,
} from './application-store.ts'
import { applyAsBeacon } from './application-creation.ts'
import { decideApplication } from './application-decision.ts'

/** Of each field the newest value counts. A note that its writer had not seen is kept beside the newest. */
const markApplication: Handler<'markApplication'> = async (call) => {
  const { userId } = signedIn(call)
  const { beaconId } = call.params
  const row = (await findToDecideOn(call.db, [beaconId], userId)).get(beaconId)
  // A stranger's application looks like one that does not exist.
  if (!row) throw new ProblemError('not_found', 'Application not found')
  const ruling = judgeMark(row, call.body)
  if (typeof ruling === 'object') {
    const [current] = await listDecided(call.db, [row.id])
    const shown = current && { current: presentApplication(current) }
    throw new ProblemError(ruling.refused, ruling.message, shown)
  }
  const marks = columnsAfter(row, call)
  const isNew =
    marks.note !== row.note ||
    marks.otherNotes !== row.otherNotes ||
    marks.approvedAs !== row.approvedAs ||
    marks.starred !== row.starred ||
    marks.arrivedAt?.getTime() !== row.arrivedAt?.getTime()
  if (isNew) await updateMarks(call.db, row.id, marks)
  const [application] = await listDecided(call.db, [row.id])
  if (!application) throw new Error('An application vanished while it was locked')
  if (isNew) call.touch({ what: 'application', id: row.id, organizerId: userId })
  return presentApplication(application)
}

async function presentMeant(call: HandlerCall<'decideApplication' | 'markApplication'>) {
  const locked = await findToDecideOn(call.db, [call.params.beaconId], signedIn(call).userId)
  const [application] = await listDecided(call.db, [...locked.keys()])
  if (!application) throw new ProblemError('not_found', 'Application not found')
  return presentApplication(application)
}

function columnsAfter(
  row: ApplicationRow,
  { body, device, now }: Pick<HandlerCall<'markApplication'>, 'body' | 'device' | 'now'>,
): MarkColumns {
  const { note, otherNotes, starred, arrivedAt, approvedAs } = row
  const before = {
    note,
    otherNotes,
    starred,
    arrivedAt: arrivedAt?.toISOString() ?? null,
    publicChanges: approvedAs === null ? undefined : { at: approvedAs.changedAt },
  }
  const stoodSince = { at: row.noteAt?.toISOString() ?? null, device: row.noteDevice }
  const after = marked(before, body, { now: now.toISOString(), stoodSince })
  const written = after.note === note ? row : { noteAt: now, noteDevice: device?.name ?? null }
  return {
    note: after.note,
    noteAt: written.noteAt,
    noteDevice: written.noteDevice,
    otherNotes: after.otherNotes,
    approvedAs: after.publicChanges ? approvedAs : null,
    starred: after.starred,
    arrivedAt: after.arrivedAt === null ? null : new Date(after.arrivedAt),
  }
}

const listBeacons: Handler<'listBeacons'> = async (call) => {
  const event = await findFeedText(call.db, 'public', 'events', String(call.params.id))
  if (event === undefined) throw eventNotFound()
  const ids = await listApplicationIds(call.db, { eventId: call.params.id, status: 'approved' })
  return jsonArray(await listFeedTexts(call.db, 'public', 'beacons', ids.map(String)))
}

const listApplications: Handler<'listApplications'> = async (call) => {
  const event = await requireOwner(call.db, call.caller, call.params.id)
  const listed = await listApplicationIds(call.db, { eventId: event.id })
  const page = await idsOfPage(call.db, event.organizerId, 'applications', listed, call.query.after)
  if (!page) throw new ProblemError('not_found', 'Application not found')
  const answer = (await listDecided(call.db, page.ids)).map(presentApplication)
  return page.next === null ? answer : { jsonText: JSON.stringify(answer), next: page.next }
}

const listDecisions: Handler<'listDecisions'> = async (call) => {
  const decisions = await listAllDecisions(call.db, signedIn(call).userId, call.params.beaconId)
  if (!decisions) throw new ProblemError('not_found', 'Application not found')
  return decisions.map(presentDecision)
}

export const applicationHandlers = {
  listBeacons,
  listApplications,
  applyAsBeacon,
  decideApplication: Object.assign(decideApplication, { present: presentMeant }),
  markApplication: Object.assign(markApplication, { present: presentMeant }),
  listDecisions,
} satisfies Partial<Handlers>
