import type { Knex } from 'knex'
import type { EventRow } from '../db/rows/event-rows.ts'
import { signedIn } from '../calls/access.ts'
import type { Caller } from '../calls/handler.ts'
import { ProblemError } from '../calls/problems.ts'
import { findEvent, findEventForChange } from './event-store.ts'

export function eventNotFound(): ProblemError {
  return new ProblemError('not_found', 'Event not found')
}

/** A stranger's event looks like one that does not exist. */
export async function requireOwner(db: Knex, caller: Caller | null, eventId: number): Promise<EventRow> {
  return owned(await findEvent(db, eventId), caller)
}

/** The row is locked until the transaction ends. */
export async function requireOwnerForChange(trx: Knex, caller: Caller | null, eventId: number): Promise<EventRow> {
  return owned(await findEventForChange(trx, eventId), caller)
}

function owned(row: EventRow | undefined, caller: Caller | null): EventRow {
  const { organizerId } = signedIn({ caller })
  if (row?.organizerId !== organizerId) throw eventNotFound()
  return row
}
