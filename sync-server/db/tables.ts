import type { applicationRecord } from '#shared/applications/application-record.ts'
import type { OtherNote } from '#shared/applications/notes.ts'
import type { customizationRecord, eventRecord } from '#shared/events/event-record.ts'
import type { ColumnsOf } from './record-columns.ts'
import type { Knex } from 'knex'
import type { ApplicationStatus } from '#shared/applications/application-status.ts'
import type { PublicField } from '#shared/applications/public-fields.ts'
import type { MailKind, MailState } from '#shared/mail/mail.ts'

/**
 * The rows as PostgreSQL hands them over through `createKnex`: `timestamptz` is a Date, `date` is 'YYYY-MM-DD',
 * `time` is 'HH:MM', `bigint` a number, `jsonb` already parsed. Writing an array into a `jsonb` column needs
 * `JSON.stringify`: pg would otherwise send it as a PostgreSQL array.
 */

export interface UserRow {
  id: number
  username: string
  email: string
  password_hash: string
  organization_name: string | null
  stripe_customer_id: string | null
  is_admin: boolean
  /** When the address was last shown to be theirs; null while it is only what somebody typed. */
  email_verified_at: Date | null
  /** When a forgotten password was last replaced; null when never. */
  password_changed_at: Date | null
  created_at: Date
  /** Whether they want to be mailed about new applications where no device alerts them. */
  mail_new_applications: boolean
  /** What a seeded account is in the demo; null for everybody else's. */
  demo_role: 'organizer' | 'admin' | null
  /** Since when nobody can sign in to it, whatever the password; null for an account in use. */
  closed_at: Date | null
}

/** A link in a mail that acts for an account, once. */
export interface AccountLinkRow {
  /** 32 random bytes, of which its token is made; alone they open nothing. */
  id: string
  token_hash: string
  purpose: 'reset' | 'verify' | 'change'
  user_id: number
  /** The address it was sent to: whoever has the link reads mail there. */
  email: string
  created_at: Date
  expires_at: Date
  used_at: Date | null
  /** A newer link of the same purpose exists, or the purpose is gone. */
  replaced_at: Date | null
}

export interface SessionRow {
  /** Hash of the cookie's 32 random bytes; the bytes themselves are never stored. */
  id_hash: string
  /** By which its owner names it. */
  id: number
  user_id: number
  data: Record<string, unknown>
  device_id: string | null
  device_name: string | null
  created_at: Date
  last_seen_at: Date
  /** Idle limit, moved forward while the session is used. */
  expires_at: Date
  /** Hard limit, never moved. */
  absolute_expires_at: Date
  revoked_at: Date | null
}

export interface EventRow extends ColumnsOf<typeof eventRecord>, ColumnsOf<typeof customizationRecord> {
  /** From the sequence `events_id_seq`: given at insert, or leased earlier to a device. */
  id: number
  organizer_id: number
  /** IANA name, e.g. 'America/Chicago'. */
  time_zone: string
  latitude: number | null
  longitude: number | null
  /** Questions it asked before and asks no more: an application may have been written then. */
  asked_questions: string[]
  /** What it was paid from; null when that is gone or from before this was written down. */
  subscription_id: number | null
  /** Counts edits, from 1: an edit names the edition it was made on. */
  edition: number
  created_at: Date
  updated_at: Date
}

interface EventIdLeaseRow {
  event_id: number
  user_id: number
  device_id: string
  leased_at: Date
  used_at: Date | null
}

/** What guests read of a Beacon at a decision of the organizer's. */
interface ApprovedAs {
  decisionNumber: number
  /** When the Beacon changed something of it last (ISO). */
  changedAt: string
  fields: Record<PublicField, string | null>
}

export interface ApplicationRow extends ColumnsOf<typeof applicationRecord> {
  id: number
  event_id: number
  status: ApplicationStatus
  /** Counts decisions, from 0: a decision names the one it was made on. */
  decision_number: number
  decided_at: Date | null
  withdrawn_at: Date | null
  /** What the organizer wrote for themselves. */
  note: string | null
  starred: boolean
  /** When it was written, and the name of the device; null for notes of before. */
  note_at: Date | null
  note_device: string | null
  /** Notes that were written over by a phone that had not seen them, newest first. */
  other_notes: readonly OtherNote[]
  /** What guests read when the organizer last agreed to it, once the Beacon has changed it; else null. */
  approved_as: ApprovedAs | null
  /** When the organizer saw the Beacon arrive. */
  arrived_at: Date | null
  terms_accepted_at: Date
  terms_version: string
  /** Hash of the token that opens the applicant's own page. */
  status_token_hash: string
  /** Names the application for ever; its number may be given out a second time by a database that went back. */
  origin: string
  /** Links to it in mails are signed for its number alone, as they were before it had an origin. */
  signed_by_number: boolean
  created_at: Date
}

export interface ApplicationDecisionRow {
  id: number
  application_id: number
  decision_number: number
  from_status: ApplicationStatus
  to_status: ApplicationStatus
  /** A user's id; null when the applicant withdrew or the user is gone. */
  decided_by: number | null
  device_id: string | null
  device_name: string | null
  decided_at: Date
}

export interface SubscriptionPlanRow {
  id: number
  name: string
  description: string
  tier: 'single' | 'multi' | 'unlimited'
  price_cents: number
  /** -1 means unlimited. */
  event_limit: number
  /** 0 or less means no expiration. */
  duration_days: number
}

export interface UserSubscriptionRow {
  id: number
  user_id: number
  plan_id: number
  events_used: number
  start_date: Date
  end_date: Date | null
  status: string
  promo_code: string | null
  created_at: Date
}

export interface PaymentRow {
  id: number
  user_id: number
  plan_id: number
  /** What it gave; null while it is pending, when it failed, and when that is gone. */
  subscription_id: number | null
  /** Of `demo` and `free` nobody paid anything, whatever the amount says. */
  provider: 'demo' | 'free' | 'stripe'
  provider_reference: string | null
  status: 'paid' | 'pending' | 'failed'
  amount_cents: number
  currency: string
  promo_code: string | null
  created_at: Date
  /** Names it towards the provider; null where no money is asked for. */
  provider_key: string | null
  /** The provider's own word for where it stands, as last heard. */
  provider_status: string | null
  /** Whether a card was ever tried. */
  attempted: boolean
  /** Holds a use of its promo code until it is paid or given up. */
  promo_reserved: boolean
  /** When it is given up; null where no money is asked for. */
  expires_at: Date | null
  /** When the provider was last asked about it. */
  asked_at: Date | null
  paid_at: Date | null
  /** When what it gave was taken back, because the money was. */
  revoked_at: Date | null
  refunded_cents: number
  /** What the bank holds or has taken because the payment is disputed. */
  disputed_cents: number
}

/** An event of the payment provider that has had its effect. */
interface StripeEventRow {
  id: string
  type: string
  payment_id: number | null
  /** What came of it, for whoever asks later. */
  outcome: string
  received_at: Date
}

export interface PromoCodeRow {
  id: number
  code: string
  description: string
  discount_type: string
  /** Percent. */
  discount_value: number
  valid_from: Date
  valid_until: Date | null
  max_uses: number | null
  current_uses: number
  is_active: boolean
  /** Seeded by the demo: worth something only there. */
  is_demo: boolean
  created_at: Date
}

export interface IdempotencyKeyRow {
  scope: string
  key: string
  request_hash: string
  /** Hash of the route and its place alone; null where the key was stored by an earlier version. */
  target: string | null
  /** Status, body and version are null only inside the transaction that is making the effect. */
  status: number | null
  body: string | null
  version: number | null
  created_at: Date
}

interface SyncEpochRow {
  id: true
  epoch: string
  /** The database the epoch was begun in, as PostgreSQL tells databases apart; null before the first look. */
  database_identity: string | null
  /** When the database last went back to an earlier moment; null when it never did. */
  went_back_at: Date | null
}

/** One transaction's end in a scope: what tells two histories with the same versions apart. */
interface SyncHistoryRow {
  scope: string
  version: number
  mark: string
  made_at: Date
}

interface SyncScopeRow {
  scope: string
  version: number
  /** Tombstones at or below this version are purged: an older checkpoint must start again. */
  horizon: number
}

interface SyncLogRow {
  scope: string
  collection: string
  doc_id: string
  version: number
  deleted: boolean
  /** The document's finished JSON text for this scope's audience; null for a tombstone. */
  body: string | null
  updated_at: Date
}

type JobState = 'waiting' | 'running' | 'done' | 'dead' | 'cancelled'

export interface JobRow {
  id: number
  kind: string
  /** Business key: the same intention is queued once. */
  key: string
  payload: Record<string, unknown>
  state: JobState
  run_at: Date
  attempts: number
  max_attempts: number
  /** Counts its holders, one after another; never goes back. */
  claims: number
  lease_until: Date | null
  last_error: string | null
  created_at: Date
  updated_at: Date
}

export interface PushSubscriptionRow {
  id: number
  user_id: number
  /** The session it was told in: they end together. */
  session_id_hash: string | null
  device_id: string
  device_name: string | null
  endpoint: string
  p256dh: string
  auth: string
  /** Quiet hours, 'HH:MM' in the device's own zone (IANA name); all three or none. */
  quiet_from: string | null
  quiet_to: string | null
  quiet_zone: string | null
  created_at: Date
  last_success_at: Date | null
  failure_count: number
}

/** A phone that is told of decisions on one application; a phone with several applications has a row for each. */
export interface ApplicantPhoneRow {
  id: number
  application_id: number
  endpoint: string
  p256dh: string
  auth: string
  created_at: Date
  last_success_at: Date | null
  failure_count: number
}

interface VapidKeysRow {
  id: true
  public_key: string
  private_key: string
  created_at: Date
}

/** What a demo would have sent. */
export interface DemoMailRow {
  id: number
  to_name: string
  to_address: string
  subject: string
  text_part: string
  html_part: string
  attachment_names: string[]
  sent_at: Date
}

export interface MailRow {
  id: number
  kind: MailKind
  /** Business key: the same news is sent once. */
  key: string
  event_id: number | null
  application_id: number | null
  user_id: number | null
  /** In whose name it goes to an applicant; null for mails about an account. */
  organizer_id: number | null
  to_name: string
  to_address: string
  /** What rendering needs beyond the rows. */
  payload: Record<string, unknown>
  state: MailState
  /** Null until it is rendered, when its hold ends. */
  subject: string | null
  send_at: Date
  /** Set before the last piece is given to the mail server: from then on only its answer tells whether it has the mail. */
  handed_over_at: Date | null
  sent_at: Date | null
  /** Times it was rendered and offered to a mail server; names the attempt that may go on. */
  attempts: number
  /** Times a person had it sent again. */
  retries: number
  /** In plain words, without an address or a text. */
  last_error: string | null
  created_at: Date
  updated_at: Date
}

/** What this installation signs with, made when first needed. */
interface InstallationSecretRow {
  name: string
  secret: string
  created_at: Date
}

interface AuditLogRow {
  id: number
  at: Date
  user_id: number | null
  device_id: string | null
  route: string
  subject: string | null
  status: number
  request_id: string
}

/** A browser in which an account was used before. */
interface KnownBrowserRow {
  user_id: number
  id_hash: string
  seen_at: Date
}

/** How often a wrong password was tried in an hour. */
interface FailedSignInsRow {
  /** null: for addresses that nobody has an account with. */
  user_id: number | null
  hour: Date
  times: number
  last_at: Date
}

/** What phones were refused, by account, call and reason; never what they sent. */
export interface RefusedChangeRow {
  id: number
  /** Null for visitors, who are counted together. */
  user_id: number | null
  route: string
  code: string
  /** Of the newest one. */
  device_name: string | null
  times: number
  first_at: Date
  last_at: Date
  /** When an admin asked for another try; older than `last_at` once it was refused again. */
  asked_at: Date | null
  /** When an admin had looked at it. */
  seen_at: Date | null
}

/** What an insert or update of a row may carry: any of its columns, each as a value or as SQL, `jsonb` columns as JSON text too. */
type Writable<Row, JsonColumn extends keyof Row = never> = {
  [Column in keyof Row]?: Row[Column] | Knex.Raw | Knex.QueryBuilder | (Column extends JsonColumn ? string : never)
}
type Table<Row, JsonColumn extends keyof Row = never> = Knex.CompositeTableType<Row, Writable<Row, JsonColumn>>

// Makes db('events') know its rows.
declare module 'knex/types/tables.js' {
  interface Tables {
    users: Table<UserRow>
    account_links: Table<AccountLinkRow>
    sessions: Table<SessionRow, 'data'>
    events: Table<EventRow, 'custom_questions' | 'asked_questions'>
    event_id_leases: Table<EventIdLeaseRow>
    applications: Table<ApplicationRow, 'custom_answers' | 'other_notes' | 'approved_as'>
    application_decisions: Table<ApplicationDecisionRow>
    subscription_plans: Table<SubscriptionPlanRow>
    user_subscriptions: Table<UserSubscriptionRow>
    promo_codes: Table<PromoCodeRow>
    payments: Table<PaymentRow>
    stripe_events: Table<StripeEventRow>
    idempotency_keys: Table<IdempotencyKeyRow>
    sync_epoch: Table<SyncEpochRow>
    sync_scope: Table<SyncScopeRow>
    sync_history: Table<SyncHistoryRow>
    sync_log: Table<SyncLogRow>
    jobs: Table<JobRow, 'payload'>
    push_subscriptions: Table<PushSubscriptionRow>
    applicant_phones: Table<ApplicantPhoneRow>
    vapid_keys: Table<VapidKeysRow>
    demo_mails: Table<DemoMailRow, 'attachment_names'>
    mails: Table<MailRow, 'payload'>
    installation_secrets: Table<InstallationSecretRow>
    audit_log: Table<AuditLogRow>
    known_browsers: KnownBrowserRow
    failed_sign_ins: FailedSignInsRow
    refused_changes: Table<RefusedChangeRow>
  }
}
