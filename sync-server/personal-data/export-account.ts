import type { Knex } from 'knex'
import type { AccountLinkRow, PushSubscriptionRow, SessionRow, UserRow } from '../db/tables.ts'

/** The columns that a person's copy has. Every column of the row is named, so that a new one has to be decided about. */
function columnsIn<Row extends object>(told: Readonly<Record<keyof Row & string, boolean>>): (keyof Row & string)[] {
  const names = Object.keys(told) as (keyof Row & string)[]
  return names.filter((name) => told[name])
}

const ofUser = columnsIn<UserRow>({
  id: true,
  username: true,
  email: true,
  email_verified_at: true,
  organization_name: true,
  is_admin: true,
  mail_new_applications: true,
  password_changed_at: true,
  stripe_customer_id: true,
  created_at: true,
  password_hash: false,
  demo_role: false,
  closed_at: false,
})
const ofSession = columnsIn<SessionRow>({
  id: true,
  device_id: true,
  device_name: true,
  created_at: true,
  last_seen_at: true,
  expires_at: true,
  absolute_expires_at: true,
  revoked_at: true,
  id_hash: false,
  user_id: false,
  data: false,
})
const ofDevice = columnsIn<PushSubscriptionRow>({
  device_id: true,
  device_name: true,
  endpoint: true,
  quiet_from: true,
  quiet_to: true,
  quiet_zone: true,
  created_at: true,
  last_success_at: true,
  id: false,
  user_id: false,
  session_id_hash: false,
  p256dh: false,
  auth: false,
  failure_count: false,
})
const ofLink = columnsIn<AccountLinkRow>({
  purpose: true,
  email: true,
  created_at: true,
  expires_at: true,
  used_at: true,
  replaced_at: true,
  id: false,
  token_hash: false,
  user_id: false,
})

/**
 * Everything that is held about an account, as JSON for the person it is about; undefined when there is none. Left out
 * are what opens something (hashes, keys, tokens) and what applicants wrote, who are other people: of their applications
 * it names the decisions that were made.
 */
export async function exportAccount(db: Knex, userId: number): Promise<object | undefined> {
  const account = await db('users').where({ id: userId }).first(ofUser)
  if (!account) return undefined
  const own = { user_id: userId }
  const eventIds = await db('events').where({ organizer_id: userId }).orderBy('id').pluck('id')
  return {
    account,
    sessions: await db('sessions').where(own).orderBy('id').select(ofSession),
    alertedDevices: await db('push_subscriptions').where(own).orderBy('id').select(ofDevice),
    linksInMails: await db('account_links').where(own).orderBy('created_at').select(ofLink),
    events: await db('events').where({ organizer_id: userId }).orderBy('id'),
    eventNumbers: await db('event_id_leases')
      .where(own)
      .orderBy('event_id')
      .select('event_id', 'device_id', 'leased_at', 'used_at'),
    decisions: await db('application_decisions as d')
      .join('applications as a', 'a.id', 'd.application_id')
      .where('d.decided_by', userId)
      .orderBy('d.id')
      .select(
        'a.event_id',
        'd.application_id',
        'd.decision_number',
        'd.from_status',
        'd.to_status',
        'd.device_id',
        'd.device_name',
        'd.decided_at',
      ),
    applicationsByEvent: await countApplications(db, eventIds),
    subscriptions: await db('user_subscriptions').where(own).orderBy('id'),
    payments: await db('payments').where(own).orderBy('id'),
    mails: await db('mails')
      .where(own)
      .orderBy('id')
      .select('kind', 'event_id', 'to_name', 'to_address', 'subject', 'state', 'send_at', 'sent_at', 'created_at'),
    refusedChanges: await db('refused_changes')
      .where(own)
      .orderBy('id')
      .select('route', 'code', 'device_name', 'times', 'first_at', 'last_at'),
    storedAnswers: await db('idempotency_keys')
      .where({ scope: `user:${userId}` })
      .orderBy('created_at')
      .select('key', 'status', 'created_at'),
    audit: await db('audit_log')
      .where(own)
      .orderBy('id')
      .select('at', 'device_id', 'route', 'subject', 'status', 'request_id'),
  }
}

async function countApplications(db: Knex, eventIds: readonly number[]): Promise<object[]> {
  return await db('applications')
    .whereIn('event_id', eventIds)
    .groupBy('event_id', 'status')
    .orderBy(['event_id', 'status'])
    .select('event_id', 'status', db.raw('count(*)::int as applications'))
}
