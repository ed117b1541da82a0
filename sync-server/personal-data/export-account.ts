import type { Knex } from 'knex'
import { toColumnNames } from '../db/column-names.ts'
import type { AccountLinkRow, SessionRow, UserRow } from '../db/rows/account-rows.ts'
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
  createdAt: true,
  lastSuccessAt: true,
  id: false,
  userId: false,
  sessionIdHash: false,
  p256dh: false,
  auth: false,
  failureCount: false,
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
 * For the person; undefined without an account. Without hashes, keys and tokens, and without what applicants, other people,
 * wrote: only decisions on their applications. Columns under PostgreSQL's names.
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
    events: (await db('events').where({ organizerId: userId }).orderBy(['createdAt', 'id'])).map(withoutHash),
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
    applicationsByEvent: await countApplications(db, eventIds),
    viewsByEvent: await db('event_views').whereIn('eventId', eventIds).orderBy(['eventId', 'day', 'source']),
    subscriptions: await db('user_subscriptions').where(own).orderBy('id'),
    payments: await db('payments').where(own).orderBy('id'),
    mails: await db('mails')
      .where(own)
      .orderBy('id')
      .select('kind', 'eventId', 'toName', 'toAddress', 'subject', 'state', 'sendAt', 'sentAt', 'createdAt'),
    refusedChanges: await db('refused_changes')
      .where(own)
      .orderBy('id')
      .select('route', 'code', 'deviceName', 'times', 'firstAt', 'lastAt'),
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

function withoutHash(row: EventRow): Omit<EventRow, 'coverHash'> {
  const { coverHash: _, ...event } = row
  return event
}

async function countApplications(db: Knex, eventIds: readonly number[]): Promise<object[]> {
  return await db('applications')
    .whereIn('eventId', eventIds)
    .groupBy('eventId', 'status')
    .orderBy(['eventId', 'status'])
    .select('eventId', 'status', db.raw('count(*)::int as applications'))
}
