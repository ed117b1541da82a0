import type { Knex } from 'knex'

/**
 * Everything that is held about an account, as JSON for the person it is about; undefined when there is none. Left out
 * are what opens something (hashes, keys, tokens) and what applicants wrote, who are other people: of their applications
 * it names the decisions that were made.
 */
export async function exportAccount(db: Knex, userId: number): Promise<object | undefined> {
  const account = await db('users')
    .where({ id: userId })
    .first(
      'id',
      'username',
      'email',
      'email_verified_at',
      'organization_name',
      'is_admin',
      'mail_new_applications',
      'password_changed_at',
      'stripe_customer_id',
      'created_at',
    )
  if (!account) return undefined
  const own = { user_id: userId }
  const eventIds = await db('events').where({ organizer_id: userId }).orderBy('id').pluck('id')
  return {
    account,
    sessions: await db('sessions')
      .where(own)
      .orderBy('id')
      .select(
        'id',
        'device_id',
        'device_name',
        'created_at',
        'last_seen_at',
        'expires_at',
        'absolute_expires_at',
        'revoked_at',
      ),
    alertedDevices: await db('push_subscriptions')
      .where(own)
      .orderBy('id')
      .select(
        'device_id',
        'device_name',
        'endpoint',
        'quiet_from',
        'quiet_to',
        'quiet_zone',
        'created_at',
        'last_success_at',
      ),
    linksInMails: await db('account_links')
      .where(own)
      .orderBy('created_at')
      .select('purpose', 'email', 'created_at', 'expires_at', 'used_at', 'replaced_at'),
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
