import { hash } from '@node-rs/argon2'
import { createHash, randomBytes } from 'node:crypto'
import type { Knex } from 'knex'
import { termsVersion } from '#shared/applications/application.ts'
import type { ApplicationStatus } from '#shared/applications/decide.ts'
import type { ViewSource } from '#shared/events/view-source.ts'
import { newKeyPair } from '../key-pair.ts'
import { readDemoData, type DemoApplicant, type DemoData, type DemoEventKey } from './demo-data.ts'

/** The start prints it, and so does a demo's sign-in page. */
export const demoPassword = 'beaconry-demo'

/** Olivia's plan has room, Otto's is used up, Ada administers. */
export const demoAccounts = {
  olivia: {
    username: 'olivia',
    email: 'olivia@example.com',
    organizationName: 'Lantern Street Events',
    isAdmin: false,
  },
  otto: { username: 'otto', email: 'otto@example.com', organizationName: 'Harbor Collective', isAdmin: false },
  ada: { username: 'ada', email: 'ada@example.com', organizationName: null, isAdmin: true },
} as const

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** All transactions that change the demo take this advisory lock. */
export const DEMO_LOCK = 7_326_542

/**
 * Fills a database without users, everything flagged as the demo's. `publish` ends the same transaction and writes the
 * change feed. False when there was nothing to do; of processes that start together one fills.
 */
export async function seedDemo(
  db: Knex,
  now: Date,
  publish: (trx: Knex.Transaction) => Promise<void>,
): Promise<boolean> {
  return await db.transaction(async (trx) => {
    await trx.raw('select pg_advisory_xact_lock(?)', [DEMO_LOCK])
    if (await trx('users').first('id')) return false
    const data = readDemoData()
    const users = await insertAccounts(trx, now)
    await insertBilling(trx, data, users, now)
    const ids = await insertEvents(trx, data, users, now)
    for (const [index, applicant] of data.applicants.entries())
      await insertApplication(trx, data, applicant, ids[applicant.event], users, now, WAYS[index % WAYS.length])
    await insertViews(trx, data, ids, now)
    await publish(trx)
    return true
  })
}

type UserIds = Record<keyof typeof demoAccounts, number>

async function insertAccounts(trx: Knex.Transaction, now: Date): Promise<UserIds> {
  const ids = { olivia: 0, otto: 0, ada: 0 }
  for (const name of ['olivia', 'otto', 'ada'] as const) {
    const passwordHash = await hash(demoPassword, { memoryCost: 47_104, timeCost: 1, parallelism: 1 })
    const [row] = await trx('users')
      .insert({
        ...demoAccounts[name],
        passwordHash,
        demoRole: demoAccounts[name].isAdmin ? 'admin' : 'organizer',
        createdAt: new Date(now.getTime() - 120 * DAY_MS),
      })
      .returning('id')
    ids[name] = row?.id ?? 0
  }
  return ids
}

async function insertBilling(trx: Knex.Transaction, { events }: DemoData, users: UserIds, now: Date): Promise<void> {
  const daysFromNow = (days: number) => new Date(now.getTime() + days * DAY_MS)
  const eventsOf = (organizer: 'olivia' | 'otto') =>
    Object.values(events).filter((event) => event.organizer === organizer).length
  await trx('user_subscriptions').insert([
    {
      userId: users.olivia,
      planId: 3,
      eventsUsed: eventsOf('olivia'),
      startDate: daysFromNow(-100),
      endDate: daysFromNow(265),
      promoCode: 'WELCOME20',
      createdAt: daysFromNow(-100),
    },
    {
      userId: users.otto,
      planId: 2,
      eventsUsed: eventsOf('otto'),
      startDate: daysFromNow(-90),
      endDate: daysFromNow(275),
      promoCode: null,
      createdAt: daysFromNow(-90),
    },
  ])
  const common = {
    discountType: 'percent',
    validFrom: daysFromNow(-120),
    createdAt: daysFromNow(-120),
    isActive: true,
    isDemo: true,
    validUntil: null,
    maxUses: null,
  }
  await trx('promo_codes').insert([
    {
      ...common,
      code: 'WELCOME20',
      description: '20% off your first plan',
      discountValue: 20,
      currentUses: 1,
    },
    {
      ...common,
      code: 'FLOOR50',
      description: 'Half price for the first hundred organizers',
      discountValue: 50,
      validUntil: daysFromNow(180),
      maxUses: 100,
      currentUses: 37,
    },
    {
      ...common,
      code: 'BEACON100',
      description: 'A free plan for community events',
      discountValue: 100,
      validUntil: daysFromNow(90),
      maxUses: 25,
      currentUses: 3,
    },
    {
      ...common,
      code: 'SPRING10',
      description: '10% off, ended',
      discountValue: 10,
      validUntil: daysFromNow(-30),
      currentUses: 12,
    },
  ])
}

async function insertEvents(
  trx: Knex.Transaction,
  { events }: DemoData,
  users: UserIds,
  now: Date,
): Promise<Record<DemoEventKey, number>> {
  const ids = {} as Record<DemoEventKey, number>
  for (const [key, event] of Object.entries(events) as [DemoEventKey, DemoData['events'][DemoEventKey]][]) {
    const { organizer, startsInDays, lasts, closesDaysBefore, customQuestions, ...fields } = event
    const startDate = dayAfter(now, startsInDays, event.timeZone)
    const createdAt = new Date(now.getTime() - (startsInDays < 0 ? 100 : 45) * DAY_MS)
    const [row] = await trx('events')
      .insert({
        ...fields,
        ...newKeyPair(),
        organizerId: users[organizer],
        startDate,
        endDate: dayAfter(now, startsInDays + lasts - 1, event.timeZone),
        customQuestions: JSON.stringify(customQuestions),
        applicationsCloseAt:
          closesDaysBefore === undefined
            ? null
            : `${new Date(Date.parse(startDate) - closesDaysBefore * DAY_MS).toISOString().slice(0, 10)}T18:00`,
        createdAt,
        updatedAt: createdAt,
      })
      .returning('id')
    ids[key] = row?.id ?? 0
  }
  return ids
}

async function insertApplication(
  trx: Knex.Transaction,
  { events }: DemoData,
  applicant: DemoApplicant,
  eventId: number,
  users: UserIds,
  now: Date,
  cameFrom: ViewSource | undefined,
): Promise<void> {
  const [first, last] = applicant.name
  const event = events[applicant.event]
  const mailbox = applicant.mailbox ?? `${first}.${last}`.toLowerCase()
  const decisions = applicant.decided
  const createdAt = new Date(now.getTime() - applicant.hoursAgo * HOUR_MS)
  const decidedAt = (index: number) =>
    new Date(createdAt.getTime() + ((index + 1) / (decisions.length + 2)) * applicant.hoursAgo * HOUR_MS)
  const withdrawnAt = applicant.withdrawn ? decidedAt(decisions.length) : null
  const [row] = await trx('applications')
    .insert({
      eventId,
      firstName: first,
      lastName: last,
      email: `${mailbox}@example.com`,
      phone: applicant.phone ?? null,
      linkedinUrl: applicant.linkedin ? `https://www.linkedin.com/in/${mailbox.replace('.', '-')}-beaconry-demo` : null,
      company: applicant.job?.[1] ?? null,
      jobTitle: applicant.job?.[0] ?? null,
      topics: applicant.topics ?? null,
      post: applicant.post ?? null,
      experience: applicant.experience,
      expertise: applicant.expertise,
      whyBeacon: applicant.why,
      networkingStyle: applicant.style,
      bio: applicant.bio,
      customAnswers: JSON.stringify(
        event.customQuestions.map((question, index) => ({
          question,
          answer: applicant.answers[index] ?? '',
        })),
      ),
      status: applicant.withdrawn ? 'rejected' : (decisions.at(-1) ?? 'pending'),
      decisionNumber: decisions.length + (applicant.withdrawn ? 1 : 0),
      decidedAt: decisions.length > 0 ? decidedAt(decisions.length - 1) : withdrawnAt,
      withdrawnAt,
      cameFrom: cameFrom ?? null,
      termsAcceptedAt: createdAt,
      termsVersion,
      statusTokenHash: createHash('sha256').update(randomBytes(32)).digest('hex'),
      createdAt,
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
      applicationId: row?.id ?? 0,
      decisionNumber: index + 1,
      fromStatus: from,
      toStatus: decision.to,
      byApplicant: decision.by === null,
      decidedBy: decision.by,
      deviceId: decision.device?.id ?? null,
      deviceName: decision.device?.name ?? null,
      decidedAt: decision.at,
    })
    from = decision.to
  }
}

const DEVICES = [
  { id: 'demo-phone', name: 'iPhone' },
  { id: 'demo-tablet', name: 'iPad' },
] as const

/** The demo's applicants came from these, one after the other. */
const WAYS: readonly ViewSource[] = ['share', 'qr', 'share', 'direct', 'search', 'site', 'share']
const MAX_VIEWS_A_DAY: Readonly<Record<ViewSource, number>> = { qr: 4, share: 9, search: 5, site: 2, direct: 3 }
const VIEWED_DAYS = 14

/** Views lie in the last days. There are more of the nearer days, and more where more people applied. */
async function insertViews(
  trx: Knex.Transaction,
  { events, applicants }: DemoData,
  ids: Record<DemoEventKey, number>,
  now: Date,
): Promise<void> {
  const rows = (Object.entries(ids) as [DemoEventKey, number][]).flatMap(([key, eventId]) => {
    const { startsInDays, timeZone } = events[key]
    const interest = (applicants.filter(({ event }) => event === key).length + 2) / 8
    return Array.from({ length: VIEWED_DAYS }, (_, place) => place).flatMap((place) =>
      (Object.entries(MAX_VIEWS_A_DAY) as [ViewSource, number][]).map(([source, max]) => ({
        eventId,
        day: dayAfter(now, Math.min(0, startsInDays) - place, timeZone),
        source,
        views: Math.ceil((max * interest * (VIEWED_DAYS - place)) / VIEWED_DAYS),
      })),
    )
  })
  await trx('event_views').insert(rows)
}

/** Counts by the calendar of a time zone. */
function dayAfter(now: Date, days: number, timeZone: string): string {
  const today = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).format(now)
  return new Date(Date.parse(`${today}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
}
