import type { Knex } from 'knex'
import type { OrganizerEvent, PublicEvent } from '#shared/events/event-calls.ts'
import { hostName } from '#shared/accounts/host.ts'
import { customizationRecord, eventRecord } from '#shared/events/event-record.ts'
import { presenterOf } from '../db/column-names.ts'
import type { UserRow } from '../db/rows/account-rows.ts'
import type { EventRow } from '../db/rows/event-rows.ts'
import { changesOf, type Audience, type Written } from '../feed/change-feed.ts'
import { type ApprovedCounts, countedApproved, isHiddenSql, takeTurnsPresenting } from './event-store.ts'

const publicEventFields = presenterOf(eventRecord, 'anyone')
const organizersEventFields = presenterOf(eventRecord, 'organizer')
const publicCustomizationFields = presenterOf(customizationRecord, 'anyone')
const organizersCustomizationFields = presenterOf(customizationRecord, 'organizer')

function sharedParts(row: EventRow): Omit<PublicEvent, 'organizer' | 'applicationsClosed' | 'beaconCount'> {
  return {
    id: row.id,
    organizerId: row.organizerId,
    ...publicEventFields(row),
    timeZone: row.timeZone,
    latitude: row.latitude,
    longitude: row.longitude,
    ...publicCustomizationFields(row),
    ...(row.coverHash === null ? {} : { coverHash: row.coverHash }),
    ...(row.cancelledAt === null ? {} : { cancelledAt: row.cancelledAt.toISOString() }),
    sealingKey: row.sealingKey,
    createdAt: row.createdAt.toISOString(),
  }
}

/**
 * Applications are closed by hand, because the event is hidden or cancelled, or because enough Beacons are expected,
 * whatever the clock says. People who said that they can't come take no place unless they came.
 */
export function isClosedToAll(
  row: Pick<EventRow, 'applicationsClosed' | 'maxBeacons' | 'visibility' | 'cancelledAt'>,
  expectedCount: number,
): boolean {
  if (row.visibility === 'hidden' || row.cancelledAt !== null) return true
  return row.applicationsClosed || (row.maxBeacons !== null && expectedCount >= row.maxBeacons)
}

type HostedEvent = EventRow & HostColumns & ApprovedCounts

function presentPublicEvent(row: HostedEvent): PublicEvent {
  return {
    ...sharedParts(row),
    organizer: { name: hostName(row), contactEmail: row.contactEmail },
    applicationsClosed: isClosedToAll(row, row.expectedCount),
    beaconCount: row.beaconCount,
  }
}

function takenDownOf({ takenDownAt, takenDownReason: reason }: EventRow): Pick<OrganizerEvent, 'takenDown'> {
  return takenDownAt === null || reason === null ? {} : { takenDown: { at: takenDownAt.toISOString(), reason } }
}

export function presentOrganizerEvent(row: EventRow): OrganizerEvent {
  return {
    ...sharedParts(row),
    ...organizersEventFields(row),
    ...organizersCustomizationFields(row),
    basis: row.basis,
    edition: row.edition,
    updatedAt: row.updatedAt.toISOString(),
    ...takenDownOf(row),
    openingKey: row.openingKey,
  }
}

interface HostColumns extends Pick<UserRow, 'username' | 'organizationName' | 'contactEmail'> {
  readonly isHidden: boolean
}

function hostedEvents(db: Knex, ids: readonly number[]): Knex.QueryBuilder<EventRow, HostedEvent[]> {
  return db('events as e')
    .join('users as u', 'u.id', 'e.organizerId')
    .joinRaw(
      `cross join lateral (
         select ${countedApproved} from applications where event_id = e.id and status = 'approved'
       ) as counted`,
    )
    .whereRaw('e.id = any(?)', [ids as unknown as Knex.Value])
    .select(
      'e.*',
      'counted.*',
      'u.username',
      'u.organizationName',
      'u.contactEmail',
      db.raw(`${isHiddenSql} as is_hidden`),
    )
}

/**
 * Its applicants keep their own pages and read this; it is undefined for an event that the public sees or an admin took
 * down.
 */
export async function presentHiddenEvent(db: Knex, id: number): Promise<PublicEvent | undefined> {
  const [row] = await hostedEvents(db, [id]).whereRaw(
    `e.visibility = 'hidden' and e.taken_down_at is null and u.closed_at is null`,
  )
  return row && presentPublicEvent(row)
}

/** Returns null for an event that the public does not see. Other presenters wait until the transaction ends. */
export async function presentForPublic(trx: Knex, id: number): Promise<PublicEvent | null> {
  await takeTurnsPresenting(trx, [id])
  const [row] = await hostedEvents(trx, [id])
  return row === undefined || row.isHidden || isLongOver(row) ? null : presentPublicEvent(row)
}

/** Finds past ones, too, because their links stay in use. `changedAt` says since when it reads like this. */
export async function findPublicEvent(
  db: Knex,
  id: number,
): Promise<{ readonly jsonText: string; readonly changedAt: Date } | undefined> {
  const told = await db('sync_log')
    .where({ scope: 'public', collection: 'events', docId: String(id), deleted: false })
    .first('body', 'updatedAt')
  if (told?.body) return { jsonText: told.body, changedAt: told.updatedAt }
  const [row] = await hostedEvents(db, [id])
  return row && !row.isHidden
    ? { jsonText: JSON.stringify(presentPublicEvent(row)), changedAt: row.updatedAt }
    : undefined
}

/** Its applications were deleted twelve months after it, and it was not moved since. */
const isLongOver = ({ purgedFor, endDate }: EventRow) => purgedFor === endDate

/** The public sees no hidden ones, and the feed has none that are long over: `findPublicEvent` makes those again. */
export async function changesOfEvents(trx: Knex, written: readonly Written[], audience?: Audience) {
  return await changesOf(written, { organizers: 'events', everybodys: 'events' }, audience, async (ids) => {
    await takeTurnsPresenting(trx, ids)
    const rows = await hostedEvents(trx, ids)
    return rows.map((row) => [
      row.id,
      {
        organizers: presentOrganizerEvent(row),
        everybodys: row.isHidden || isLongOver(row) ? null : presentPublicEvent(row),
      },
    ])
  })
}
