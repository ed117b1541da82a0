import type { Knex } from 'knex'
import { toColumnNames } from '../db/column-names.ts'
import type {
  AccountLinkRow,
  FailedSignInsRow,
  KnownBrowserRow,
  SessionRow,
  TeamInvitationRow,
  TeamMemberRow,
  UserRow,
} from '../db/rows/account-rows.ts'
import type { EventRow } from '../db/rows/event-rows.ts'
import type { PushSubscriptionRow } from '../db/rows/message-rows.ts'

/** Every column is named, so that a new one has to be decided about. */
function columnsIn<Row extends object>(told: Readonly<Record<keyof Row & string, boolean>>): (keyof Row & string)[] {
  const names = Object.keys(told) as (keyof Row & string)[]
  return names.filter((name) => told[name])
}

const ofUser = columnsIn<UserRow>({
  id: true,
  username: true,
  email: true,
  emailVerifiedAt: true,
  organizationName: true,
  contactEmail: true,
  isAdmin: true,
  mailNewApplications: true,
  passwordChangedAt: true,
  stripeCustomerId: true,
  createdAt: true,
  deletesAt: true,
  passwordHash: false,
  demoRole: false,
  closedAt: false,
  madeLive: false,
})
const ofSession = columnsIn<SessionRow>({
  id: true,
  deviceId: true,
  deviceName: true,
  createdAt: true,
  lastSeenAt: true,
  expiresAt: true,
  absoluteExpiresAt: true,
  revokedAt: true,
  idHash: false,
  userId: false,
  data: false,
})
const ofDevice = columnsIn<PushSubscriptionRow>({
  deviceId: true,
  deviceName: true,
  endpoint: true,
  quietFrom: true,
  quietTo: true,
  quietZone: true,
  showNames: true,
  createdAt: true,
  lastSuccessAt: true,
  id: false,
  userId: false,
  sessionIdHash: false,
  p256dh: false,
  auth: false,
  failureCount: false,
})
const ofBrowser = columnsIn<KnownBrowserRow>({ seenAt: true, userId: false, idHash: false })
const ofFailedSignIns = columnsIn<FailedSignInsRow>({ hour: true, times: true, lastAt: true, userId: false })
const ofMembership = columnsIn<TeamMemberRow>({ organizerId: true, role: true, joinedAt: true, userId: false })
const ofMember = columnsIn<TeamMemberRow>({ userId: true, role: true, joinedAt: true, organizerId: false })
const ofInvitation = columnsIn<TeamInvitationRow>({
  id: true,
  role: true,
  expiresAt: true,
  organizerId: false,
  tokenHash: false,
})
const ofLink = columnsIn<AccountLinkRow>({
  purpose: true,
  email: true,
  createdAt: true,
  expiresAt: true,
  usedAt: true,
  replacedAt: true,
  id: false,
  tokenHash: false,
  userId: false,
})

/**
 * Collects everything for the person; undefined means that there is no account. Hashes, keys and tokens are left out,
 * and so is what applicants, other people, wrote: only decisions and notes on their applications are included. Columns have
 * PostgreSQL's names.
 */
export async function exportAccount(db: Knex, userId: number): Promise<object | undefined> {
  const account = await db('users').where({ id: userId }).first(ofUser)
  if (!account) return undefined
  const own = { userId }
  const eventIds = await db('events').where({ organizerId: userId }).orderBy('id').pluck('id')
  const rows: Readonly<Record<string, readonly object[]>> = {
    sessions: await db('sessions').where(own).orderBy('id').select(ofSession),
    alertedDevices: await db('push_subscriptions').where(own).orderBy('id').select(ofDevice),
    linksInMails: await db('account_links').where(own).orderBy('createdAt').select(ofLink),
    knownBrowsers: await db('known_browsers').where(own).orderBy('seenAt').select(ofBrowser),
    failedSignIns: await db('failed_sign_ins').where(own).orderBy('hour').select(ofFailedSignIns),
    teams: await db('team_members').where(own).orderBy('organizerId').select(ofMembership),
    members: await db('team_members').where({ organizerId: userId }).orderBy('userId').select(ofMember),
    invitations: await db('team_invitations').where({ organizerId: userId }).orderBy('id').select(ofInvitation),
    events: (await db('events').where({ organizerId: userId }).orderBy(['createdAt', 'id'])).map(withoutOwnNotes),
    covers: (await db('event_covers').whereIn('eventId', eventIds).orderBy('eventId')).map(
      ({ eventId, body, createdAt }) => ({ eventId, createdAt, webpBase64: body.toString('base64') }),
    ),
    decisions: await db('application_decisions as d')
      .join('applications as a', 'a.id', 'd.applicationId')
      .where('d.decidedBy', userId)
      .orderBy('d.id')
      .select(
        'a.eventId',
        'd.applicationId',
        'd.decisionNumber',
        'd.fromStatus',
        'd.toStatus',
        'd.deviceId',
        'd.deviceName',
        'd.decidedAt',
      ),
    notes: await listNotes(db, userId),
    messages: await db('messages')
      .whereIn('eventId', eventIds)
      .orWhere({ writtenBy: userId })
      .orderBy(['createdAt', 'id'])
      .select('id', 'eventId', 'audience', 'body', 'deviceName', 'createdAt', 'leavesAt', 'cancelledAt'),
    applicationsByEvent: await countApplications(db, eventIds),
    viewsByEvent: await db('all_event_views').whereIn('eventId', eventIds).orderBy(['eventId', 'day', 'source']),
    subscriptions: await db('user_subscriptions').where(own).orderBy('id'),
    payments: await db('payments').where(own).orderBy('id'),
    mails: await db('mails')
      .where(own)
      .orderBy('id')
      .select('kind', 'eventId', 'toName', 'toAddress', 'subject', 'state', 'sendAt', 'sentAt', 'createdAt'),
    storedAnswers: await db('idempotency_keys')
      .where({ scope: `user:${userId}` })
      .orderBy('createdAt')
      .select('key', 'status', 'createdAt'),
    audit: await db('audit_log')
      .where(own)
      .orderBy('id')
      .select('at', 'deviceId', 'route', 'subject', 'status', 'requestId'),
  }
  const copied = Object.entries(rows).map(([name, ofTable]) => [name, ofTable.map(toColumnNames)])
  return { account: toColumnNames(account), ...Object.fromEntries(copied) }
}

/** What the server made for itself tells nothing about a person, and an opening key is no secret once it was downloaded. */
const ownNotes = new Set(['coverHash', 'sealingKey', 'openingKey', 'archivedFor', 'purgedFor', 'remindedFor'])

const withoutOwnNotes = (row: EventRow): object =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !ownNotes.has(name)))

/** Lists, oldest first, those that the person wrote, also for other organizers and also those that a later note replaced. */
async function listNotes(db: Knex, userId: number): Promise<object[]> {
  const { rows } = await db.raw<{ rows: object[] }>(
    `select event_id, id as application_id, note, note_at as at, note_device as device
     from applications where note_by = ? and note is not null
     union all
     select event_id, id, n ->> 'note', (n ->> 'at')::timestamptz, n ->> 'device'
     from applications, jsonb_array_elements(other_notes) n
     where other_notes <> '[]' and other_notes @> jsonb_build_array(jsonb_build_object('by', ?::bigint))
       and n -> 'by' = to_jsonb(?::bigint)
     order by at, application_id`,
    [userId, userId, userId],
  )
  return rows
}

async function countApplications(db: Knex, eventIds: readonly number[]): Promise<object[]> {
  return await db('applications')
    .whereIn('eventId', eventIds)
    .groupBy('eventId', 'status')
    .orderBy(['eventId', 'status'])
    .select('eventId', 'status', db.raw('count(*)::int as applications'))
}
