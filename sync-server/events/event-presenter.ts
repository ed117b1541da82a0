import type { Knex } from 'knex'
import type { OrganizerEvent, PublicEvent } from '#shared/events/event-calls.ts'
import { hostName } from '#shared/accounts/host.ts'
import { customizationRecord, eventRecord } from '#shared/events/event-record.ts'
import { presented } from '../db/column-names.ts'
import type { UserRow } from '../db/rows/account-rows.ts'
import type { EventRow } from '../db/rows/event-rows.ts'
import { changesOf, type Audience, type Written } from '../feed/change-feed.ts'
import { type ApprovedCounts, countedApproved, isHiddenSql, takeTurnsPresenting } from './event-store.ts'

function sharedParts(row: EventRow): Omit<PublicEvent, 'organizer' | 'applicationsClosed' | 'beaconCount'> {
  return {
    id: row.id,
    organizerId: row.organizerId,
    ...presented(eventRecord, row, 'anyone'),
    timeZone: row.timeZone,
    latitude: row.latitude,
    longitude: row.longitude,
    ...presented(customizationRecord, row, 'anyone'),
    ...(row.coverHash === null ? {} : { coverHash: row.coverHash }),
    createdAt: row.createdAt.toISOString(),
  }
}

/** By hand or because enough are approved, whatever the clock says. */
export function isClosedToAll(
  row: Pick<EventRow, 'applicationsClosed' | 'maxBeacons'>,
  approvedCount: number,
): boolean {
  return row.applicationsClosed || (row.maxBeacons !== null && approvedCount >= row.maxBeacons)
}

function presentPublicEvent(row: EventRow & HostColumns & ApprovedCounts): PublicEvent {
  return {
    ...sharedParts(row),
    organizer: { name: hostName(row), contactEmail: row.contactEmail },
    applicationsClosed: isClosedToAll(row, row.approvedCount),
    beaconCount: row.beaconCount,
  }
}

function takenDownOf({ takenDownAt, takenDownReason: reason }: EventRow): Pick<OrganizerEvent, 'takenDown'> {
  return takenDownAt === null || reason === null ? {} : { takenDown: { at: takenDownAt.toISOString(), reason } }
}

export function presentOrganizerEvent(row: EventRow): OrganizerEvent {
  return {
    ...sharedParts(row),
    ...presented(eventRecord, row, 'organizer'),
    ...presented(customizationRecord, row, 'organizer'),
    basis: row.basis,
    edition: row.edition,
    updatedAt: row.updatedAt.toISOString(),
    ...takenDownOf(row),
  }
}

interface HostColumns extends Pick<UserRow, 'username' | 'organizationName' | 'contactEmail'> {
  readonly isHidden: boolean
}

/** The public sees no hidden ones. */
export async function changesOfEvents(trx: Knex, written: readonly Written[], audience?: Audience) {
  return await changesOf(written, { organizers: 'events', everybodys: 'events' }, audience, async (ids) => {
    await takeTurnsPresenting(trx, ids)
    const rows: (EventRow & HostColumns & ApprovedCounts)[] = await trx('events as e')
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
        trx.raw(`${isHiddenSql} as is_hidden`),
      )
    return rows.map((row) => [
      row.id,
      { organizers: presentOrganizerEvent(row), everybodys: row.isHidden ? null : presentPublicEvent(row) },
    ])
  })
}
