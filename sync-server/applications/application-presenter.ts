import type { Knex } from 'knex'
import type { Application, DecisionMade, PublicBeacon } from '#shared/applications/application-calls.ts'
import { applicationRecord, publicChanges, type PublicField } from '#shared/applications/application-record.ts'
import { presented } from '../db/column-names.ts'
import type { ApplicationDecisionRow, ApplicationRow } from '../db/rows/application-rows.ts'
import { changesOf, type Audience, type Written } from '../feed/change-feed.ts'
import { listDecided, type DecidedApplication } from './application-store.ts'

function presentPublicBeacon(row: ApplicationRow): PublicBeacon {
  return {
    id: row.id,
    eventId: row.eventId,
    ...presented(applicationRecord, row, 'anyone'),
    ...(row.faceHash === null ? {} : { faceHash: row.faceHash }),
  }
}

/** A decision without a user is the applicant's own: a withdrawal needs no sign-in. */
export function presentDecision(row: ApplicationDecisionRow): DecisionMade {
  return {
    number: row.decisionNumber,
    from: row.fromStatus,
    to: row.toStatus,
    at: row.decidedAt.toISOString(),
    device: row.deviceName,
    by: row.decidedBy === null ? 'applicant' : 'organizer',
  }
}

export function presentWritten(row: ApplicationRow) {
  return {
    ...presentPublicBeacon(row),
    ...presented(applicationRecord, row, 'organizer'),
    status: row.status,
    decidedAt: row.decidedAt?.toISOString() ?? null,
    withdrawnAt: row.withdrawnAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    ...(row.coming === null ? {} : { coming: row.coming }),
  }
}

export const publicTextsOf = (row: ApplicationRow): Record<PublicField, string | null> =>
  presented(applicationRecord, row, 'anyone')

/** What an approved Beacon changed since the decision; a new one ends it. */
function publicChangesOf(row: ApplicationRow): Pick<Application, 'publicChanges'> {
  const { approvedAs: approved } = row
  if (row.status !== 'approved' || approved?.basis !== row.basis) return {}
  return { publicChanges: { at: approved.changedAt, changes: publicChanges(approved.fields, publicTextsOf(row)) } }
}

export function presentApplication({ row, decisions }: DecidedApplication): Application {
  return {
    ...presentWritten(row),
    basis: row.basis,
    decisionNumber: row.decisionNumber,
    decidedOn: decisions.find((decision) => decision.decisionNumber === row.decisionNumber)?.deviceName ?? null,
    decisions: decisions.map(presentDecision),
    note: row.note,
    ...(row.otherNotes.length > 0 ? { otherNotes: [...row.otherNotes] } : {}),
    ...publicChangesOf(row),
    starred: row.starred,
    arrivedAt: row.arrivedAt?.toISOString() ?? null,
  }
}

/**
 * For the organizer unless archived, and for the public while approved and not known to stay away. Hidden events show
 * no Beacons.
 */
export async function changesOfApplications(trx: Knex, written: readonly Written[], audience?: Audience) {
  return await changesOf(written, { organizers: 'applications', everybodys: 'beacons' }, audience, async (ids) =>
    (await listDecided(trx, ids)).map((one) => {
      const isShown = one.row.status === 'approved' && one.row.coming !== false && !one.isHidden
      const organizers = one.row.archived ? null : presentApplication(one)
      return [one.row.id, { organizers, everybodys: isShown ? presentPublicBeacon(one.row) : null }]
    }),
  )
}
