import type { Knex } from 'knex'
import { describe, expect, it } from 'vitest'
import { applicationFields, missingAnswers } from '#shared/applications/application.ts'
import { mayMove } from '#shared/applications/decide.ts'
import { datedEventFields, eventFields } from '#shared/events/event.ts'
import { createTestDatabase, setTestDatabase } from '../../testing/test-database.ts'
import { seedDemo } from './seed-demo.ts'

// Evening in California is already the next day in UTC: days must be counted where the event is.
const now = new Date('2026-11-22T03:30:00Z')
const published: number[] = []

const { db } = await setTestDatabase()
const publish = async (trx: Knex.Transaction) => {
  published.push((await trx('applications').select('id')).length)
}
const filled = await Promise.all([seedDemo(db, now, publish), seedDemo(db, now, publish)])

/** What a form would have sent for a row. */
const fieldsOf = ({ shape }: { shape: object }, row: object) =>
  Object.fromEntries(
    Object.entries(JSON.parse(JSON.stringify(row)) as object).filter(
      ([name, value]) => name in shape && value !== null,
    ),
  )

describe('the demo', () => {
  it('is filled in once by processes that start together, and published with all its rows', async () => {
    expect(filled.filter(Boolean)).toHaveLength(1)
    expect(published).toEqual([40])
    expect(await seedDemo(db, now, () => Promise.reject(new Error('published again')))).toBe(false)
  })

  it('leaves nothing behind when publishing fails', async () => {
    const other = await createTestDatabase()
    await expect(seedDemo(other.db, now, () => Promise.reject(new Error('no feed')))).rejects.toThrow('no feed')
    expect(await other.db('users').select('id')).toEqual([])
    await other.drop()
  })

  it('gives Olivia room for another event and Otto none', async () => {
    const plans = await db('user_subscriptions')
      .join('users', 'users.id', 'user_subscriptions.userId')
      .join('subscription_plans', 'subscription_plans.id', 'user_subscriptions.planId')
      .orderBy('username')
      .select('username', 'tier', 'eventsUsed', 'eventLimit')
    expect(plans).toEqual([
      { username: 'olivia', tier: 'unlimited', eventsUsed: 9, eventLimit: -1 },
      { username: 'otto', tier: 'multi', eventsUsed: 3, eventLimit: 3 },
    ])
  })

  it('has past and coming events in several states and zones, as the event form accepts them', async () => {
    const events = await db('events').orderBy('startDate').select('*')
    expect(events).toHaveLength(12)
    expect(new Set(events.map((event) => event.state)).size).toBeGreaterThan(9)
    expect(new Set(events.map((event) => event.timeZone)).size).toBeGreaterThan(6)
    expect(events.filter((event) => event.endDate < '2026-11-21')).toHaveLength(2)
    expect(events.find((event) => event.city === 'Portland')).toMatchObject({
      startDate: '2026-11-21',
      endDate: '2026-11-21',
      startTime: '17:30',
    })
    expect(events.find((event) => event.city === 'Boston')?.zipCode).toBe('02115')
    expect(events.filter((event) => event.startDate !== event.endDate).length).toBeGreaterThan(2)
    for (const event of events) {
      expect(() => datedEventFields.parse(fieldsOf(eventFields, event))).not.toThrow()
    }
  })

  it('has forty full applications in all three states, as the apply form would accept them', async () => {
    const rows = await db('applications').select('*')
    expect(rows).toHaveLength(40)
    const events = new Map((await db('events').select('*')).map((event) => [event.id, event]))
    const count = (status: string) => rows.filter((row) => row.status === status).length
    expect([count('pending'), count('approved'), count('rejected')]).toEqual([18, 17, 5])
    for (const row of rows) {
      const fields = applicationFields.parse(fieldsOf(applicationFields, row))
      const event = events.get(row.eventId)
      expect(
        missingAnswers(fields, { showDefaultQuestions: true, customQuestions: event?.customQuestions ?? [] }),
      ).toEqual({})
      const words = row.bio.split(/\s+/).length
      expect(words, `${row.firstName}'s bio`).toBeGreaterThanOrEqual(80)
      expect(words, `${row.firstName}'s bio`).toBeLessThanOrEqual(140)
      expect(row.createdAt.getTime()).toBeLessThan(now.getTime())
    }
    expect(new Set(rows.map((row) => row.bio)).size).toBe(40)
    expect(rows.filter((row) => ['ben', 'bea', 'bo'].includes(row.email.replace('@example.com', '')))).toHaveLength(3)
  })

  it('has a history of decisions that leads to every status, each a move an organizer may make', async () => {
    const decisions = await db('application_decisions').orderBy(['applicationId', 'decisionNumber']).select('*')
    for (const row of await db('applications').select('*')) {
      const history = decisions.filter((decision) => decision.applicationId === row.id)
      expect(history.map((decision) => decision.decisionNumber)).toEqual(history.map((_, index) => index + 1))
      expect(row.decisionNumber).toBe(history.length)
      expect(history.at(-1)?.toStatus ?? 'pending').toBe(row.status)
      expect(history.at(-1)?.decidedAt ?? null).toEqual(row.decidedAt)
      let status = 'pending' as typeof row.status
      for (const decision of history) {
        expect(decision.fromStatus).toBe(status)
        expect(decision.toStatus !== 'pending' && mayMove(decision.fromStatus, decision.toStatus)).toBe(true)
        expect(decision.decidedAt.getTime()).toBeGreaterThan(row.createdAt.getTime())
        expect(decision.decidedAt.getTime()).toBeLessThan(now.getTime())
        status = decision.toStatus
      }
    }
  })
})
