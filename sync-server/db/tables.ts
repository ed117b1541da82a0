import type { Knex } from 'knex'
import type {
  AccountLinkRow,
  FailedSignInsRow,
  KnownBrowserRow,
  SessionRow,
  TeamInvitationRow,
  TeamMemberRow,
  UserRow,
} from './rows/account-rows.ts'
import type {
  ApplicantPhoneRow,
  DemoMailRow,
  MailRow,
  MessageRow,
  PushSubscriptionRow,
  VapidKeysRow,
} from './rows/message-rows.ts'
import type { ApplicationDecisionRow, ApplicationRow } from './rows/application-rows.ts'
import type {
  PaymentRow,
  PromoCodeRow,
  StripeEventRow,
  SubscriptionPlanRow,
  UserSubscriptionRow,
} from './rows/billing-rows.ts'
import type { EventRow, EventViewsRow } from './rows/event-rows.ts'
import type { ApplicationFaceRow, EventCoverRow, EventPreviewRow } from './rows/picture-rows.ts'
import type {
  AuditLogRow,
  DailySumRow,
  IdempotencyKeyRow,
  InstallationSecretRow,
  JobRow,
  SiteSettingRow,
  SyncEpochRow,
  SyncHistoryRow,
  SyncLogRow,
  SyncScopeRow,
  UsedIdRow,
} from './rows/operation-rows.ts'

/**
 * Rows as PostgreSQL hands them over through `createKnex`: camelCase names, `timestamptz` a Date, `date` 'YYYY-MM-DD',
 * `time` 'HH:MM', `bigint` a number, `jsonb` parsed. Writing an array into `jsonb` needs `JSON.stringify`: pg would send a
 * PostgreSQL array.
 */

/** A column takes a value or SQL; `jsonb` columns take JSON text, too. */
type Writable<Row, JsonColumn extends keyof Row = never> = {
  [Column in keyof Row]?: Row[Column] | Knex.Raw | Knex.QueryBuilder | (Column extends JsonColumn ? string : never)
}
type Table<Row, JsonColumn extends keyof Row = never> = Knex.CompositeTableType<Row, Writable<Row, JsonColumn>>

declare module 'knex/types/tables.js' {
  interface Tables {
    users: Table<UserRow>
    account_links: Table<AccountLinkRow>
    sessions: Table<SessionRow, 'data'>
    team_members: Table<TeamMemberRow>
    team_invitations: Table<TeamInvitationRow>
    events: Table<EventRow, 'customQuestions' | 'askedQuestions'>
    applications: Table<ApplicationRow, 'customAnswers' | 'otherNotes' | 'approvedAs'>
    application_decisions: Table<ApplicationDecisionRow>
    event_covers: Table<EventCoverRow>
    event_previews: Table<EventPreviewRow>
    event_views: Table<EventViewsRow>
    event_view_sums: Table<Omit<EventViewsRow, 'day'>>
    /** Holds both; a sum has no day. */
    all_event_views: Omit<EventViewsRow, 'day'> & { readonly day: string | null }
    application_faces: Table<ApplicationFaceRow>
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
    demo_mails: Table<DemoMailRow, 'attachmentNames'>
    mails: Table<MailRow, 'payload'>
    messages: Table<MessageRow>
    installation_secrets: Table<InstallationSecretRow>
    audit_log: Table<AuditLogRow>
    known_browsers: KnownBrowserRow
    failed_sign_ins: FailedSignInsRow
    used_ids: Table<UsedIdRow>
    daily_sums: Table<DailySumRow>
    site_settings: Table<SiteSettingRow>
  }
}
