import { expect, it } from 'vitest'
import { addCompleteRows } from '../testing/complete-rows.ts'
import { setTestDatabase } from '../testing/test-database.ts'
import { listUserReferences } from '../testing/user-references.ts'
import { exportApplicant } from './applicant-data.ts'
import { exportAccount } from './export-account.ts'

const { db } = await setTestDatabase()
const rows = await addCompleteRows(db)
const userId = Number(rows.get('users')?.['id'])
await db('idempotency_keys').update({ scope: `user:${userId}` })
await db('messages').update({ applicationIds: [Number(rows.get('applications')?.['id'])], cancelledAt: null })
await db('audit_log').insert({ userId, deviceId: 'd', route: 'logout', subject: '1', status: 204, requestId: 'r' })

/** The names in each part of an export; of a list those of its first entry. */
function namesIn(parts: object): Record<string, string> {
  const named = Object.entries(parts).map(([part, value]) => {
    const one: unknown = Array.isArray(value) ? value[0] : value
    return [part, typeof one === 'object' && one !== null ? Object.keys(one).join(' ') : '']
  })
  return Object.fromEntries(named)
}

it('the copy of an account has these columns of each table', async () => {
  expect(namesIn((await exportAccount(db, userId))!)).toEqual({
    account:
      'id username email email_verified_at organization_name contact_email is_admin mail_new_applications password_changed_at stripe_customer_id created_at deletes_at',
    sessions: 'id device_id device_name created_at last_seen_at expires_at absolute_expires_at revoked_at',
    alertedDevices:
      'device_id device_name endpoint quiet_from quiet_to quiet_zone show_names created_at last_success_at',
    linksInMails: 'purpose email created_at expires_at used_at replaced_at',
    knownBrowsers: 'seen_at',
    failedSignIns: 'hour times last_at',
    teams: 'organizer_id role joined_at',
    members: 'user_id role joined_at',
    invitations: 'id role expires_at',
    events:
      'id organizer_id name description start_date end_date start_time end_time location address city state zip_code time_zone latitude longitude registration_url beacon_incentives beacon_instructions promo_code custom_beacon_email_subject custom_beacon_email_body custom_questions show_default_questions applications_close_at max_beacons applications_closed basis edition created_at updated_at subscription_id asked_questions cover_palette taken_down_at taken_down_reason posts posts_for guest_hint visibility cancelled_at',
    covers: 'event_id created_at webp_base64',
    decisions: 'event_id application_id decision_number from_status to_status device_id device_name decided_at',
    notes: 'event_id application_id note at device',
    messages: 'id event_id audience body device_name created_at leaves_at cancelled_at',
    applicationsByEvent: 'event_id status applications',
    viewsByEvent: 'event_id day source views',
    subscriptions: 'id user_id plan_id events_used start_date end_date status promo_code created_at',
    payments:
      'id user_id plan_id subscription_id provider provider_reference status amount_cents currency promo_code created_at provider_key provider_status attempted promo_reserved expires_at asked_at paid_at revoked_at refunded_cents disputed_cents',
    mails: 'kind event_id to_name to_address subject state send_at sent_at created_at',
    storedAnswers: 'key status created_at',
    audit: 'at device_id route subject status request_id',
  })
})

/** What refers to an account, and the part of its copy that tells it; null is for what tells about other people. */
const partOf: Readonly<Record<string, string | null>> = {
  'account_links.user_id': 'linksInMails',
  'application_decisions.decided_by': 'decisions',
  'applications.note_by': 'notes',
  'events.organizer_id': 'events',
  'failed_sign_ins.user_id': 'failedSignIns',
  'known_browsers.user_id': 'knownBrowsers',
  // These mails go to applicants.
  'mails.organizer_id': null,
  'mails.user_id': 'mails',
  'messages.written_by': 'messages',
  'payments.user_id': 'payments',
  'push_subscriptions.user_id': 'alertedDevices',
  'sessions.user_id': 'sessions',
  'team_invitations.organizer_id': 'invitations',
  'team_members.organizer_id': 'members',
  'team_members.user_id': 'teams',
  'user_subscriptions.user_id': 'subscriptions',
}

it('the copy of an account tells of every table that refers to one', async () => {
  const references = (await listUserReferences(db)).map(({ table, column }) => `${table}.${column}`)
  expect(references).toEqual(Object.keys(partOf))
  const copy = (await exportAccount(db, userId)) as Record<string, unknown>
  const missing = references.filter((one) => partOf[one] !== null && !(copy[partOf[one] ?? ''] as unknown[])?.length)
  expect(missing).toEqual([])
})

it('the copy of an applicant’s data has these columns of each table', async () => {
  const { applications, mails } = (await exportApplicant(db, String(rows.get('applications')?.['email']))) as {
    applications: object[]
    mails: object[]
  }
  const [application] = applications
  expect(namesIn({ application, mails, ...application })).toMatchObject({
    application:
      'id event_id first_name last_name email phone linkedin_url company job_title experience expertise why_beacon networking_style bio custom_answers status basis decision_number decided_at withdrawn_at terms_accepted_at terms_version created_at note starred arrived_at note_at note_device other_notes approved_as link_opened_at decided_day decided_times coming came_from archived sent_late walked_in post presence topics face_webp_base64 event decisions phones messages',
    event: 'id name start_date end_date location address city state',
    decisions: 'decision_number from_status to_status decided_at',
    phones: 'endpoint created_at last_success_at',
    messages: 'body leaves_at',
    mails: 'application_id kind event_id to_name to_address subject payload state send_at sent_at created_at',
  })
})
