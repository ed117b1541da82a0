import { hash } from '@node-rs/argon2'
import { createHash, randomBytes } from 'node:crypto'
import type { Knex } from 'knex'
import { termsVersion } from '#shared/applications/application.ts'
import type { ApplicationStatus } from '#shared/applications/application-status.ts'
import { chicagoApplicants } from './demo-applicants-chicago.ts'
import { easternApplicants } from './demo-applicants-east.ts'
import { westernApplicants } from './demo-applicants-west.ts'
import type { DemoApplicant } from './demo-applicant.ts'
import { demoEvents, type DemoEvent, type DemoEventKey } from './demo-events.ts'

/** The password of every demo account; printed at start and on the sign-in page while demo mode is on. */
export const demoPassword = 'beaconry-demo'

/** Olivia's plan has room, Otto's is used up, Ada administers. */
export const demoAccounts = {
  olivia: {
    username: 'olivia',
    email: 'olivia@example.com',
    organization_name: 'Lantern Street Events',
    is_admin: false,
  },
  otto: { username: 'otto', email: 'otto@example.com', organization_name: 'Harbor Collective', is_admin: false },
  ada: { username: 'ada', email: 'ada@example.com', organization_name: null, is_admin: true },
} as const

const applicants: readonly DemoApplicant[] = [...chicagoApplicants, ...westernApplicants, ...easternApplicants]

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Whoever fills, opens, closes or removes the demo holds this advisory lock until the transaction ends. */
export const DEMO_LOCK = 7_326_542

/**
 * Fills a database without users with the demo: three accounts, their subscriptions, promo codes, twelve events around
 * the day of `now` and forty applications. `publish` is called at the end of the same transaction and writes the change
 * feed. All of it is marked as the demo's. Answers whether it filled anything; of processes that start together one does.
 */
export async function seedDemo(
  db: Knex,
  now: Date,
  publish: (trx: Knex.Transaction) => Promise<void>,
): Promise<boolean> {
  return await db.transaction(async (trx) => {
    await trx.raw('select pg_advisory_xact_lock(?)', [DEMO_LOCK])
    if (await trx('users').first('id')) return false
    const users = await insertAccounts(trx, now)
    await insertBilling(trx, users, now)
    const events = await insertEvents(trx, users, now)
    for (const applicant of applicants) await insertApplication(trx, applicant, events[applicant.event], users, now)
    await publish(trx)
    return true
  })
}

type UserIds = Record<keyof typeof demoAccounts, number>

async function insertAccounts(trx: Knex.Transaction, now: Date): Promise<UserIds> {
  const ids = { olivia: 0, otto: 0, ada: 0 }
  for (const name of ['olivia', 'otto', 'ada'] as const) {
    const password_hash = await hash(demoPassword, { memoryCost: 47_104, timeCost: 1, parallelism: 1 })
    const [row] = await trx('users')
      .insert({
        ...demoAccounts[name],
        password_hash,
        demo_role: demoAccounts[name].is_admin ? 'admin' : 'organizer',
        created_at: new Date(now.getTime() - 120 * DAY_MS),
      })
      .returning('id')
    ids[name] = row?.id ?? 0
  }
  return ids
}

async function insertBilling(trx: Knex.Transaction, users: UserIds, now: Date): Promise<void> {
  const daysFromNow = (days: number) => new Date(now.getTime() + days * DAY_MS)
  const eventsOf = (organizer: DemoEvent['organizer']) =>
    Object.values(demoEvents).filter((event) => event.organizer === organizer).length
  await trx('user_subscriptions').insert([
    {
      user_id: users.olivia,
      plan_id: 3,
      events_used: eventsOf('olivia'),
      start_date: daysFromNow(-100),
      end_date: daysFromNow(265),
      promo_code: 'WELCOME20',
      created_at: daysFromNow(-100),
    },
    {
      user_id: users.otto,
      plan_id: 2,
      events_used: eventsOf('otto'),
      start_date: daysFromNow(-90),
      end_date: daysFromNow(275),
      promo_code: null,
      created_at: daysFromNow(-90),
    },
  ])
  const common = {
    discount_type: 'percent',
    valid_from: daysFromNow(-120),
    created_at: daysFromNow(-120),
    is_active: true,
    is_demo: true,
  }
  await trx('promo_codes').insert([
    {
      ...common,
      code: 'WELCOME20',
      description: '20% off your first plan',
      discount_value: 20,
      valid_until: null,
      max_uses: null,
      current_uses: 1,
    },
    {
      ...common,
      code: 'FLOOR50',
      description: 'Half price for the first hundred organizers',
      discount_value: 50,
      valid_until: daysFromNow(180),
      max_uses: 100,
      current_uses: 37,
    },
    {
      ...common,
      code: 'BEACON100',
      description: 'A free plan for community events',
      discount_value: 100,
      valid_until: daysFromNow(90),
      max_uses: 25,
      current_uses: 3,
    },
    {
      ...common,
      code: 'SPRING10',
      description: '10% off, ended',
      discount_value: 10,
      valid_until: daysFromNow(-30),
      max_uses: null,
      current_uses: 12,
    },
  ])
}

async function insertEvents(trx: Knex.Transaction, users: UserIds, now: Date): Promise<Record<DemoEventKey, number>> {
  const ids = {} as Record<DemoEventKey, number>
  for (const [key, event] of Object.entries(demoEvents) as [DemoEventKey, DemoEvent][]) {
    const start_date = dayAfter(now, event.startsInDays, event.timeZone)
    const createdAt = new Date(now.getTime() - (event.startsInDays < 0 ? 100 : 45) * DAY_MS)
    const [row] = await trx('events')
      .insert({
        organizer_id: users[event.organizer],
        name: event.name,
        description: event.description,
        start_date,
        end_date: dayAfter(now, event.startsInDays + event.lasts - 1, event.timeZone),
        start_time: event.startTime,
        end_time: event.endTime,
        location: event.location,
        address: event.address,
        city: event.city,
        state: event.state,
        zip_code: event.zipCode,
        time_zone: event.timeZone,
        latitude: event.latitude,
        longitude: event.longitude,
        registration_url: event.registrationUrl,
        beacon_incentives: event.beaconIncentives,
        beacon_instructions: event.beaconInstructions ?? null,
        promo_code: event.promoCode ?? null,
        custom_beacon_email_subject: event.emailSubject ?? null,
        custom_beacon_email_body: event.emailBody ?? null,
        custom_questions: JSON.stringify(event.customQuestions ?? []),
        show_default_questions: event.showDefaultQuestions ?? true,
        applications_close_at:
          event.closesDaysBefore === undefined
            ? null
            : new Date(Date.parse(`${start_date}T23:00:00Z`) - event.closesDaysBefore * DAY_MS),
        max_beacons: event.maxBeacons ?? null,
        created_at: createdAt,
        updated_at: createdAt,
      })
      .returning('id')
    ids[key] = row?.id ?? 0
  }
  return ids
}

async function insertApplication(
  trx: Knex.Transaction,
  applicant: DemoApplicant,
  eventId: number,
  users: UserIds,
  now: Date,
): Promise<void> {
  const [first, last] = applicant.name
  const event: DemoEvent = demoEvents[applicant.event]
  const mailbox = applicant.mailbox ?? `${first}.${last}`.toLowerCase()
  const decisions = applicant.decided ?? []
  const createdAt = new Date(now.getTime() - applicant.hoursAgo * HOUR_MS)
  // Decisions are spread over the time between the application and now.
  const decidedAt = (index: number) =>
    new Date(createdAt.getTime() + ((index + 1) / (decisions.length + 2)) * applicant.hoursAgo * HOUR_MS)
  const withdrawnAt = applicant.withdrawn ? decidedAt(decisions.length) : null
  const [row] = await trx('applications')
    .insert({
      event_id: eventId,
      first_name: first,
      last_name: last,
      email: `${mailbox}@example.com`,
      phone: applicant.phone ?? null,
      linkedin_url: applicant.linkedin
        ? `https://www.linkedin.com/in/${mailbox.replace('.', '-')}-beaconry-demo`
        : null,
      company: applicant.job?.[1] ?? null,
      job_title: applicant.job?.[0] ?? null,
      experience: applicant.experience,
      expertise: applicant.expertise,
      why_beacon: applicant.why,
      networking_style: applicant.style,
      bio: applicant.bio,
      custom_answers: JSON.stringify(
        (event.customQuestions ?? []).map((question, index) => ({
          question,
          answer: applicant.answers?.[index] ?? '',
        })),
      ),
      status: applicant.withdrawn ? 'rejected' : (decisions.at(-1) ?? 'pending'),
      decision_number: decisions.length + (applicant.withdrawn ? 1 : 0),
      decided_at: decisions.length > 0 ? decidedAt(decisions.length - 1) : withdrawnAt,
      withdrawn_at: withdrawnAt,
      terms_accepted_at: createdAt,
      terms_version: termsVersion,
      status_token_hash: createHash('sha256').update(randomBytes(32)).digest('hex'),
      created_at: createdAt,
    })
    .returning('id')
  const history = decisions.map((to, index) => ({
    to,
    at: decidedAt(index),
    by: users[event.organizer] as number | null,
    device: DEVICES[index % 2],
  }))
  if (withdrawnAt) history.push({ to: 'rejected', at: withdrawnAt, by: null, device: undefined })
  let from: ApplicationStatus = 'pending'
  for (const [index, decision] of history.entries()) {
    await trx('application_decisions').insert({
      application_id: row?.id ?? 0,
      decision_number: index + 1,
      from_status: from,
      to_status: decision.to,
      decided_by: decision.by,
      device_id: decision.device?.id ?? null,
      device_name: decision.device?.name ?? null,
      decided_at: decision.at,
    })
    from = decision.to
  }
}

const DEVICES = [
  { id: 'demo-phone', name: 'iPhone' },
  { id: 'demo-tablet', name: 'iPad' },
] as const

/** The calendar day so many days after today, as the calendar stands in a time zone. */
function dayAfter(now: Date, days: number, timeZone: string): string {
  const today = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).format(now)
  return new Date(Date.parse(`${today}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
}
