import { verify } from '@node-rs/argon2'
import type { Knex } from 'knex'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { applicationFields, missingAnswers } from '#shared/applications/application.ts'
import { mayMove } from '#shared/applications/application-status.ts'
import { eventDateIssues, eventFields } from '#shared/events/event.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { demoAccounts, demoPassword, seedDemo } from './demo.ts'

// Evening in California is already the next day in UTC: days must be counted where the event is.
const now = new Date('2026-11-22T03:30:00Z')
const published: number[] = []
let filled: boolean[]

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  const publish = async (trx: Knex.Transaction) => {
    published.push((await trx('applications').select('id')).length)
  }
  filled = await Promise.all([seedDemo(database.db, now, publish), seedDemo(database.db, now, publish)])
})
afterAll(() => database.drop())

describe('the demo', () => {
  it('is filled in once by processes that start together, and published with all its rows in place', async () => {
    expect(filled.filter(Boolean)).toHaveLength(1)
    expect(published).toEqual([40])
    expect(await seedDemo(database.db, now, () => Promise.reject(new Error('published again')))).toBe(false)
  })

  it('leaves nothing behind when publishing fails', async () => {
    const other = await createTestDatabase()
    await expect(seedDemo(other.db, now, () => Promise.reject(new Error('no feed')))).rejects.toThrow('no feed')
    expect(await other.db('users').select('id')).toEqual([])
    await other.drop()
  })

  it('lets Olivia, Otto and Ada sign in, and makes only Ada an admin', async () => {
    const users = await database.db('users').orderBy('username').select('*')
    expect(users.map((user) => [user.email, user.is_admin])).toEqual([
      [demoAccounts.ada.email, true],
      [demoAccounts.olivia.email, false],
      [demoAccounts.otto.email, false],
    ])
    expect(users.map((user) => user.demo_role)).toEqual(['admin', 'organizer', 'organizer'])
    expect(await database.db('promo_codes').where({ is_demo: false })).toEqual([])
    for (const user of users) {
      expect(user.password_hash).toMatch(/^\$argon2id\$v=19\$m=47104,t=1,p=1\$/)
      expect(await verify(user.password_hash, demoPassword)).toBe(true)
    }
  })

  it('gives Olivia room for another event and Otto none', async () => {
    const plans = await database
      .db('user_subscriptions')
      .join('users', 'users.id', 'user_subscriptions.user_id')
      .join('subscription_plans', 'subscription_plans.id', 'user_subscriptions.plan_id')
      .orderBy('username')
      .select('username', 'tier', 'events_used', 'event_limit')
    expect(plans).toEqual([
      { username: 'olivia', tier: 'unlimited', events_used: 9, event_limit: -1 },
      { username: 'otto', tier: 'multi', events_used: 3, event_limit: 3 },
    ])
  })

  it('has events before, on and after today, in several states and time zones, as the event form would accept them', async () => {
    const events = await database.db('events').orderBy('start_date').select('*')
    expect(events).toHaveLength(12)
    expect(new Set(events.map((event) => event.state)).size).toBeGreaterThan(9)
    expect(new Set(events.map((event) => event.time_zone)).size).toBeGreaterThan(6)
    expect(events.filter((event) => event.end_date < '2026-11-21')).toHaveLength(2)
    expect(events.find((event) => event.city === 'Portland')).toMatchObject({
      start_date: '2026-11-21',
      end_date: '2026-11-21',
      start_time: '17:30',
    })
    expect(events.find((event) => event.city === 'Boston')?.zip_code).toBe('02115')
    expect(events.filter((event) => event.start_date !== event.end_date).length).toBeGreaterThan(2)
    for (const event of events) {
      const fields = eventFields.parse({
        name: event.name,
        description: event.description,
        startDate: event.start_date,
        endDate: event.end_date,
        startTime: event.start_time,
        endTime: event.end_time,
        location: event.location,
        address: event.address,
        city: event.city,
        state: event.state,
        zipCode: event.zip_code,
        registrationUrl: event.registration_url,
        beaconIncentives: event.beacon_incentives,
        beaconInstructions: event.beacon_instructions,
        promoCode: event.promo_code,
        maxBeacons: event.max_beacons,
      })
      expect(eventDateIssues(fields)).toEqual([])
    }
  })

  it('has forty full applications in all three states, as the apply form would accept them', async () => {
    const rows = await database.db('applications').select('*')
    expect(rows).toHaveLength(40)
    const events = new Map((await database.db('events').select('*')).map((event) => [event.id, event]))
    const count = (status: string) => rows.filter((row) => row.status === status).length
    expect([count('pending'), count('approved'), count('rejected')]).toEqual([18, 17, 5])
    for (const row of rows) {
      const fields = applicationFields.parse({
        firstName: row.first_name,
        lastName: row.last_name,
        email: row.email,
        phone: row.phone,
        linkedinUrl: row.linkedin_url,
        company: row.company,
        jobTitle: row.job_title,
        experience: row.experience,
        expertise: row.expertise,
        whyBeacon: row.why_beacon,
        networkingStyle: row.networking_style,
        bio: row.bio,
        customAnswers: row.custom_answers,
      })
      const event = events.get(row.event_id)
      expect(
        missingAnswers(fields, { showDefaultQuestions: true, customQuestions: event?.custom_questions ?? [] }),
      ).toEqual({})
      const words = row.bio.split(/\s+/).length
      expect(words, `${row.first_name}'s bio`).toBeGreaterThanOrEqual(80)
      expect(words, `${row.first_name}'s bio`).toBeLessThanOrEqual(140)
      expect(row.created_at.getTime()).toBeLessThan(now.getTime())
    }
    expect(new Set(rows.map((row) => row.bio)).size).toBe(40)
    expect(rows.filter((row) => ['ben', 'bea', 'bo'].includes(row.email.replace('@example.com', '')))).toHaveLength(3)
  })

  it('has a history of decisions that leads to every status, each a move an organizer may make', async () => {
    const decisions = await database
      .db('application_decisions')
      .orderBy(['application_id', 'decision_number'])
      .select('*')
    for (const row of await database.db('applications').select('*')) {
      const history = decisions.filter((decision) => decision.application_id === row.id)
      expect(history.map((decision) => decision.decision_number)).toEqual(history.map((_, index) => index + 1))
      expect(row.decision_number).toBe(history.length)
      expect(history.at(-1)?.to_status ?? 'pending').toBe(row.status)
      expect(history.at(-1)?.decided_at ?? null).toEqual(row.decided_at)
      let status = 'pending' as typeof row.status
      for (const decision of history) {
        expect(decision.from_status).toBe(status)
        expect(decision.to_status !== 'pending' && mayMove(decision.from_status, decision.to_status)).toBe(true)
        expect(decision.decided_at.getTime()).toBeGreaterThan(row.created_at.getTime())
        expect(decision.decided_at.getTime()).toBeLessThan(now.getTime())
        status = decision.to_status
      }
    }
  })
})
