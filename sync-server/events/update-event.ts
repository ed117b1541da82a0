import { customizationRecord } from '#shared/events/event-record.ts'
import { columnsOf } from '../db/record-columns.ts'
import type { Refused } from '#shared/contract/ruling.ts'
import { edited, judgeEdit, judgeMove } from '#shared/events/edit.ts'
import type { OrganizerEvent } from '#shared/events/event-calls.ts'
import type { EventRow } from '../db/rows/event-rows.ts'
import type { Handler, HandlerCall } from '../calls/handler.ts'
import { ProblemError } from '../calls/problems.ts'
import { queueChangeMails } from './event-mails.ts'
import { placeOf } from './event-place.ts'
import { requireOwnerForChange } from './event-policy.ts'
import { presentOrganizerEvent } from './event-presenter.ts'
import { askedColumns, changeEvent, eventColumns, isAlready, type EventColumns } from './event-store.ts'

/** Changes what the event form holds. */
export const updateEvent: Handler<'updateEvent'> = async (call) => {
  const { expectedEdition: _, ...fields } = call.body
  const row = await requireOwnerForChange(call.db, call.caller, call.params.id)
  const columns = eventColumns(fields, await placeOf(fields))
  const moved = { endDate: fields.endDate, timeZone: columns.timeZone ?? row.timeZone }
  return await change(call, row, columns, judgeMove(row, moved, call.now))
}

/** Changes the e-mail template and the questions. */
export const customizeEvent: Handler<'customizeEvent'> = async (call) => {
  const { expectedEdition: _, ...fields } = call.body
  const row = await requireOwnerForChange(call.db, call.caller, call.params.eventId)
  const columns = columnsOf(customizationRecord, fields)
  return await change(call, row, { ...columns, ...askedColumns(row, fields.customQuestions) })
}

/** Makes a change to an event that is locked, unless the rules of edits or `refused` say otherwise. */
async function change(
  call: HandlerCall<'updateEvent'> | HandlerCall<'customizeEvent'>,
  row: EventRow,
  columns: EventColumns,
  refused?: Refused,
): Promise<OrganizerEvent> {
  const { expectedEdition } = call.body
  const ruling = judgeEdit(row, { isAlready: isAlready(row, columns), expectedEdition })
  if (ruling === 'already') return presentOrganizerEvent(row)
  if (ruling !== 'change')
    throw new ProblemError(ruling.refused, ruling.message, { current: presentOrganizerEvent(row) })
  if (refused) throw new ProblemError(refused.refused, refused.message)
  const { edition } = edited({ edition: row.edition }, {}, expectedEdition)
  const changed = await changeEvent(call.db, row.id, { ...columns, edition }, call.now)
  await queueChangeMails(call.db, row, changed, call)
  call.touch({ what: 'event', id: row.id, organizerId: row.organizerId })
  return presentOrganizerEvent(changed)
}
