import type { Knex } from 'knex'
import type { Application, DecisionMade, PublicBeacon } from '#shared/applications/application-calls.ts'
import { applicationRecord, publicChanges, type PublicPart } from '#shared/applications/application-record.ts'
import { isExpected } from '#shared/applications/coming.ts'
import { presenterOf } from '../db/column-names.ts'
import type { ApplicationRow } from '../db/rows/application-rows.ts'
import { changesOf, type Audience, type Change, type Written } from '../feed/change-feed.ts'
import { listDecided, type DecidedApplication, type DecisionLine, type ShownApplication } from './application-store.ts'

const publicFields = presenterOf(applicationRecord, 'anyone')
const organizersFields = presenterOf(applicationRecord, 'organizer')

function presentPublicBeacon(row: ApplicationRow): PublicBeacon {
  return {
    id: row.id,
    eventId: row.eventId,
    ...publicFields(row),
    ...(row.faceHash === null ? {} : { faceHash: row.faceHash }),
  }
}

export function presentDecision(row: DecisionLine): DecisionMade {
  return {
    number: row.decisionNumber,
    from: row.fromStatus,
    to: row.toStatus,
    at: row.decidedAt.toISOString(),
    device: row.deviceName,
    by: row.byApplicant ? 'applicant' : 'organizer',
  }
}

const postOf = ({ post }: ApplicationRow) => (post === null ? {} : { post })

export function presentWritten(row: ApplicationRow) {
  return {
    ...presentPublicBeacon(row),
    ...organizersFields(row),
    status: row.status,
    decidedAt: row.decidedAt?.toISOString() ?? null,
    withdrawnAt: row.withdrawnAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    ...(row.coming === null ? {} : { coming: row.coming }),
  }
}

/** The applicant sees this. Days on which they did not come are the organizer's own notes. */
export function presentOwn(row: ApplicationRow) {
  const seen = [row.arrivedAt?.toISOString() ?? null, ...Object.values(row.presence)].filter((at) => at !== null)
  const arrivals = [...new Set(seen)].sort()
  return { ...presentWritten(row), ...(arrivals.length > 0 ? { arrivals } : {}) }
}

export const publicPartsOf = (row: ApplicationRow): Record<PublicPart, string | null> => ({
  ...publicFields(row),
  faceHash: row.faceHash,
})

/** Leaves out who wrote them. */
export const presentOtherNotes = ({ otherNotes }: Pick<ApplicationRow, 'otherNotes'>) =>
  otherNotes.map(({ note, at, device }) => ({ note, at, device }))

/** What an approved Beacon changed since it was approved. A new decision clears the list. */
function publicChangesOf(row: ApplicationRow): Pick<Application, 'publicChanges'> {
  const { approvedAs: approved } = row
  if (row.status !== 'approved' || approved?.basis !== row.basis) return {}
  return { publicChanges: { at: approved.changedAt, changes: publicChanges(approved.fields, publicPartsOf(row)) } }
}

export function presentApplication({ row, decisions }: DecidedApplication): Application {
  return {
    ...presentWritten(row),
    basis: row.basis,
    decisionNumber: row.decisionNumber,
    decidedOn: decisions.find((decision) => decision.decisionNumber === row.decisionNumber)?.deviceName ?? null,
    decisions: decisions.map(presentDecision),
    note: row.note,
    ...(row.otherNotes.length > 0 ? { otherNotes: presentOtherNotes(row) } : {}),
    ...publicChangesOf(row),
    ...(row.sentLate ? { sentLate: true as const } : {}),
    ...(row.walkedIn ? { walkedIn: true as const } : {}),
    starred: row.starred,
    ...postOf(row),
    arrivedAt: row.arrivedAt?.toISOString() ?? null,
    ...(Object.keys(row.presence).length > 0 ? { presence: row.presence } : {}),
  }
}

const collections = { organizers: 'applications', everybodys: 'beacons' } as const

/**
 * The organizer sees it unless it is archived, and is then still told that it changed, because a screen may show it. The
 * public sees it while it is approved and not known to stay away. Hidden events show no Beacons. Walk-ins have agreed to
 * nothing that would be public.
 */
function presentForAll(one: ShownApplication, application = presentApplication(one)) {
  const isShown = one.row.status === 'approved' && isExpected(one.row) && !one.isHidden && !one.row.walkedIn
  return {
    organizers: one.row.archived ? null : application,
    isNewsToOrganizers: one.row.archived,
    everybodys: isShown ? { ...presentPublicBeacon(one.row), ...(one.postsFor === 'guests' && postOf(one.row)) } : null,
  }
}

export async function changesOfApplications(trx: Knex, written: readonly Written[], audience?: Audience) {
  return await changesOf(written, collections, audience, async (ids) =>
    (await listDecided(trx, ids)).map((one) => [one.row.id, presentForAll(one)]),
  )
}

/** Takes applications that need not be loaded and are presented to the organizer already. */
export async function changesOfShown(
  shown: readonly (ShownApplication & { readonly application: Application })[],
  organizerId: number,
): Promise<ReadonlyMap<number, readonly Change[]>> {
  const written = shown.map(({ row }) => ({ id: row.id, organizerId }))
  const present = async () => shown.map((one) => [one.row.id, presentForAll(one, one.application)] as const)
  return await changesOf(written, collections, {}, present)
}
