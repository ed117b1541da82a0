import type { Refused } from '#shared/contract/problem.ts'
import type { Knex } from 'knex'
import { edited, judgeDeletion, judgeEdit, judgeMove } from '#shared/events/edit.ts'
import { stateOf } from '#shared/record/basis.ts'
import type { OrganizerEvent } from '#shared/events/event-calls.ts'
import { customizationRecord } from '#shared/events/event-record.ts'
import { giveEventBack } from '../billing/subscription-store.ts'
import { signedIn } from '../calls/access.ts'
import { idsOfPage } from '../feed/change-feed.ts'
import type { HandlerCall, Handlers, Make } from '../calls/handler.ts'
import { ProblemError } from '../calls/problems.ts'
import { columnsOf } from '../db/column-names.ts'
import type { EventRow } from '../db/rows/event-rows.ts'
import { storeCover } from '../pictures/picture-store.ts'
import type { RewrittenPicture } from '../pictures/picture-child.ts'
import { coverShape, rewritePicture } from '../pictures/rewrite-picture.ts'
import { createEvent } from './event-creation.ts'
import { queueCancellationMails, queueChangeMails } from './change-mails.ts'
import { placeOf } from './event-place.ts'
import { eventNotFound, requireOwner, requireOwnerForChange } from './event-policy.ts'
import { presentOrganizerEvent } from './event-presenter.ts'
import {
  countApplications,
  listEventIdsOf,
  listEventsOf,
  askedColumns,
  changeEvent,
  eventColumns,
  isAlready,
  isVisible,
  type EventColumns,
} from './event-store.ts'
import { getEvent, listEvents } from './list-events.ts'

const updateEvent: Make<'updateEvent'> = async (call) => {
  const { changeNote, ...fields } = call.body
  const row = await requireOwnerForChange(call.db, call.caller, call.params.id)
  const columns = eventColumns(fields, await placeOf(fields))
  const moved = { ...fields, timeZone: columns.timeZone ?? row.timeZone }
  // The row is locked, so no one applies in between.
  const applicant = await call.db('applications').where({ eventId: row.id }).first('id')
  const refused = judgeMove(row, moved, applicant !== undefined, call.now)
  return await change(call, row, columns, { refused, note: changeNote })
}

const customizeEvent: Make<'customizeEvent'> = async (call) => {
  const fields = call.body
  const row = await requireOwnerForChange(call.db, call.caller, call.params.eventId)
  const columns = columnsOf(customizationRecord, fields)
  return await change(call, row, { ...columns, ...askedColumns(row, fields.customQuestions) })
}

async function change(
  call: HandlerCall<'updateEvent'> | HandlerCall<'customizeEvent'>,
  row: EventRow,
  columns: EventColumns,
  { refused, note }: { readonly refused?: Refused | undefined; readonly note?: string | undefined } = {},
): Promise<OrganizerEvent> {
  const ruling = judgeEdit(row, isAlready(row, columns), call.basis, call.again)
  if (ruling === 'already') return presentOrganizerEvent(row)
  if (ruling !== 'change')
    throw new ProblemError(ruling.refused, ruling.message, { current: presentOrganizerEvent(row) })
  if (refused) throw new ProblemError(refused.refused, refused.message)
  const { edition, basis } = edited({ edition: row.edition, basis: row.basis }, {}, stateOf(call.key ?? ''))
  const changed = await changeEvent(call.db, row.id, { ...columns, edition, basis }, call.now)
  await queueChangeMails(call.db, { before: row, after: changed, note }, call)
  call.touch({ what: 'event', id: row.id, organizerId: row.organizerId })
  if (changed.postsFor !== row.postsFor || changed.visibility !== row.visibility) await touchBeacons(call, row)
  return presentOrganizerEvent(changed)
}

/** Guests see each Beacon with or without a post, and none of a hidden event. */
async function touchBeacons(
  { db, touch }: Pick<HandlerCall<'updateEvent'>, 'db' | 'touch'>,
  { id: eventId, organizerId }: EventRow,
): Promise<void> {
  const beacons = await db('applications').where({ eventId, status: 'approved' }).orderBy('id').select('id')
  touch(...beacons.map(({ id }) => ({ what: 'application' as const, id, organizerId })))
}

const dayMs = 86_400_000

/**
 * Applicants who still counted on it get a mail. An event less than a day old that never had an application gives its
 * use of the plan back (product decision).
 */
const deleteEvent: Make<'deleteEvent'> = async (call) => {
  const { db, now } = call
  const row = await requireOwnerForChange(db, call.caller, call.params.id)
  const ruling = judgeDeletion(row, call.basis)
  if (ruling !== 'change')
    throw new ProblemError(ruling.refused, ruling.message, { current: presentOrganizerEvent(row) })
  // Storing an application holds a share of the event's lock: none can slip in from here on.
  const applications = await db('applications').where({ eventId: row.id }).select('id')
  await queueCancellationMails(db, row, call)
  await db('events').where({ id: row.id }).del()
  const { organizerId } = row
  call.touch(
    { what: 'event', id: row.id, organizerId },
    ...applications.map(({ id }) => ({ what: 'application' as const, id, organizerId })),
  )
  const isUnused = applications.length === 0 && now.getTime() - row.createdAt.getTime() < dayMs
  if (isUnused && row.subscriptionId !== null) {
    await giveEventBack(db, row.subscriptionId)
    call.touch({ what: 'account', id: organizerId })
  }
  return undefined
}

const listOrganizerEvents: Make<'listOrganizerEvents'> = async (call) => {
  const { organizerId } = signedIn(call)
  const listed = await listEventIdsOf(call.db, organizerId)
  const page = await idsOfPage(call.db, organizerId, 'events', listed, call.query.after)
  if (!page) throw eventNotFound()
  const rows = await listEventsOf(call.db, organizerId, page.ids)
  const counts = await countApplications(call.db, page.ids)
  const answer = rows.map((row) => {
    const { approvedCount, pendingCount } = counts(row.id)
    return { ...presentOrganizerEvent(row), approvedCount, pendingCount }
  })
  return page.next === null ? answer : { jsonText: JSON.stringify(answer), next: page.next }
}

async function changeCover(
  { db, caller, params, now, touch }: HandlerCall<'setEventCover' | 'removeEventCover'>,
  picture: RewrittenPicture | null,
): Promise<OrganizerEvent> {
  const row = await requireOwnerForChange(db, caller, params.id)
  const coverHash = picture?.sha256 ?? null
  if (row.coverHash !== coverHash) {
    await storeCover(db, row.id, picture, now)
    touch({ what: 'event', id: row.id, organizerId: row.organizerId })
  }
  return presentOrganizerEvent({ ...row, coverHash })
}

async function setEventCover(before: HandlerCall<'setEventCover'>): Promise<Make<'setEventCover'>> {
  const { id } = await requireOwner(before.db, before.caller, before.params.id)
  const picture = await rewritePicture(before, `event:${id}`, coverShape)
  return async (call) => await changeCover(call, picture)
}

const removeEventCover: Make<'removeEventCover'> = async (call) => await changeCover(call, null)

/** Only a number grows: nothing is kept about the reader. */
const countView: Make<'countView'> = async ({ db, caller, params, body, now, ...call }) => {
  if (!(await isVisible(db, params.id))) throw eventNotFound()
  await call.spend('page-view', call.address)
  if (call.isRobot || caller?.isAdmin) return undefined
  await db.raw(
    `insert into event_views (event_id, day, source, views)
     select id, (?::timestamptz at time zone time_zone)::date, ?, 1 from events
     where id = ? and organizer_id is distinct from ?
     on conflict (event_id, day, source) do update set views = event_views.views + 1`,
    [now, body.from, params.id, caller?.userId ?? null] as Knex.Value[],
  )
  return undefined
}

const getEventViews: Make<'getEventViews'> = async ({ db, caller, params }) => {
  const { id } = await requireOwner(db, caller, params.id)
  const { rows } = await db.raw<{ rows: { views: number }[] }>(
    'select coalesce(sum(views), 0)::int as views from all_event_views where event_id = ?',
    [id],
  )
  return { views: rows[0]?.views ?? 0 }
}

export const eventHandlers = {
  listEvents,
  getEvent,
  listOrganizerEvents,
  createEvent: { make: createEvent, shows: 'events' },
  updateEvent: { make: updateEvent, shows: 'events' },
  deleteEvent,
  customizeEvent: { make: customizeEvent, shows: 'events' },
  setEventCover: { before: setEventCover, shows: 'events' },
  removeEventCover: { make: removeEventCover, shows: 'events' },
  countView,
  getEventViews,
} satisfies Partial<Handlers>
