import { customizationRecord } from '#shared/events/event-record.ts'
import { columnsOf } from '../db/record-columns.ts'
import { isUpcoming } from '#shared/time/event-time.ts'
import type { OrganizerEvent } from '#shared/events/event-calls.ts'
import type { EventRow } from '../db/tables.ts'
import type { Handler, HandlerCall } from '../calls/handler.ts'
import { ProblemError } from '../calls/problems.ts'
import { queueChangeMails } from './event-mails.ts'
import { placeOf } from './event-place.ts'
import { requireOwnerForChange } from './event-policy.ts'
import { presentOrganizerEvent } from './event-presenter.ts'
import { askedColumns, changeEvent, eventColumns, isAlready, type EventColumns } from './event-store.ts'

/** Changes what the event form holds. */
export const updateEvent: Handler<'updateEvent'> = async (call) => {
  const { expectedEdition, ...fields } = call.body
  const row = await requireOwnerForChange(call.db, call.caller, call.params.id)
  const columns = eventColumns(fields, await placeOf(fields))
  return await change(call, row, columns, expectedEdition, () => {
    const moved = { endDate: fields.endDate, timeZone: columns.time_zone ?? row.time_zone }
    const isOver = !isUpcoming({ endDate: row.end_date, timeZone: row.time_zone }, call.now)
    if (isOver && isUpcoming(moved, call.now)) {
      throw new ProblemError('not_allowed_now', 'This event has already ended. Please create a new event.')
    }
  })
}

/** Changes the e-mail template and the questions. */
export const customizeEvent: Handler<'customizeEvent'> = async (call) => {
  const { expectedEdition, ...fields } = call.body
  const row = await requireOwnerForChange(call.db, call.caller, call.params.eventId)
  const columns = columnsOf(customizationRecord, fields)
  return await change(call, row, { ...columns, ...askedColumns(row, fields.customQuestions) }, expectedEdition)
}

/**
 * Makes a change to an event that is locked. One made on an edition that is no longer the newest is a conflict, unless
 * the event already is what was wished.
 */
async function change(
  call: HandlerCall<'updateEvent'> | HandlerCall<'customizeEvent'>,
  row: EventRow,
  columns: EventColumns,
  expectedEdition: number | undefined,
  check: () => void = () => undefined,
): Promise<OrganizerEvent> {
  if (isAlready(row, columns)) return presentOrganizerEvent(row)
  if (expectedEdition !== undefined && expectedEdition !== row.edition) {
    throw new ProblemError('conflict', 'This event was changed on another device meanwhile.', {
      current: presentOrganizerEvent(row),
    })
  }
  check()
  const changed = await changeEvent(call.db, row.id, columns, call.now)
  await queueChangeMails(call.db, row, changed, call)
  call.touch({ what: 'event', id: row.id, organizerId: row.organizer_id })
  return presentOrganizerEvent(changed)
}
