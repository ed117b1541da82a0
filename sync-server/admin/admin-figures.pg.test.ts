import { describe, expect, it } from 'vitest'
import type { SeriesSpan } from '#shared/admin/series-calls.ts'
import type { ApplicationRow } from '../db/rows/application-rows.ts'
import type { EventRow } from '../db/rows/event-rows.ts'
import { addPayment } from '../testing/billing-rows.ts'
import { correctedBody, createRouteRig, eventBody } from '../testing/route-rig.ts'
import { setTestDatabase } from '../testing/test-database.ts'
import { newKeyPair } from '../db/key-pair.ts'

const now = new Date('2026-11-21T05:30:00Z')

const at = (instant: string) => ({ createdAt: new Date(instant) })

const { db } = await setTestDatabase()
const rig = createRouteRig(db)
rig.clock.now = now
const ada = await rig.addPerson('Ada', { isAdmin: true, ...at('2025-11-30T23:59:59Z') })
const olivia = await rig.addPerson('Olivia', at('2026-10-22T23:59:59Z'))
const subscriptionId = await rig.addSubscription(olivia, 3, at('2025-12-01T00:00:00Z'))
const ended = { endDate: new Date('2026-01-01'), ...at('2026-10-23T00:00:00Z') }
await rig.addSubscription(olivia, 1, ended)
const publish = async (name: string, instant: string) => {
  const event = {
    ...eventBody({ name }),
    ...newKeyPair(),
    organizerId: olivia.userId,
    timeZone: 'America/Chicago',
    ...at(instant),
  }
  const [row] = await db('events')
    .insert(event as Partial<EventRow>)
    .returning('id')
  return row!.id
}
const harborId = await publish('Harbor Mixer', '2026-11-20T23:59:59Z')
const quayId = await publish('Quay Night', '2026-11-21T00:00:00Z')
for (const [eventId, status, instant] of [
  [harborId, 'approved', '2026-11-01T00:00:00Z'],
  [harborId, 'rejected', '2026-11-20T12:00:00Z'],
  [harborId, 'pending', '2026-11-20T13:00:00Z'],
  [quayId, 'pending', '2026-11-21T05:00:00Z'],
] as const) {
  const written = correctedBody({ email: `secret.${instant}@example.com`, whyBeacon: 'Canary words' })
  const terms = { termsAcceptedAt: now, termsVersion: '1', statusTokenHash: instant }
  const row = { ...written, ...terms, eventId, status, note: 'Canary note', ...at(instant) }
  await db('applications').insert(row as Partial<ApplicationRow>)
}
const pay = async (columns: Parameters<typeof addPayment>[2]) =>
  await addPayment(db, olivia.userId, { subscriptionId, ...columns })
await pay({ createdAt: new Date('2026-10-31T23:00:00Z'), paidAt: new Date('2026-11-01T01:00:00Z') })
await pay({ createdAt: new Date('2026-11-01T02:00:00Z'), refundedCents: 4000, disputedCents: 500 })
await pay({ createdAt: new Date('2026-11-02T02:00:00Z'), refundedCents: 5000 })
await pay({ status: 'failed', createdAt: new Date('2026-11-02T02:00:00Z') })
await pay({ provider: 'demo', createdAt: new Date('2026-11-02T02:00:00Z') })

const mail = { toName: '', toAddress: 'x@example.com', payload: '{}', sendAt: now, kind: 'decision' as const }
const failed = { ...mail, state: 'failed' as const, updatedAt: new Date('2026-11-20T10:00:00Z') }
await db('mails').insert([
  { ...failed, key: 'a', organizerId: olivia.userId, eventId: harborId },
  { ...failed, key: 'b', organizerId: olivia.userId, userId: olivia.userId },
  { ...failed, key: 'c', userId: ada.userId },
  { ...mail, key: 'd', state: 'held', organizerId: olivia.userId },
  { ...mail, key: 'e', state: 'queued' },
  { ...mail, key: 'f', state: 'sent', organizerId: olivia.userId },
])
const session = { userId: olivia.userId, expiresAt: now, absoluteExpiresAt: now }
await db('sessions').insert([
  { ...session, idHash: 'a', lastSeenAt: new Date('2026-11-19T08:00:00Z') },
  { ...session, idHash: 'b', lastSeenAt: new Date('2026-11-18T08:00:00Z') },
])
await db('known_browsers').insert({ userId: olivia.userId, idHash: 'c', seenAt: new Date('2026-11-17T08:00:00Z') })

const seriesBy = async (by: 'day' | 'month') => (await rig.run('getAdminSeries', { as: ada, query: { by } })).body
const nothing = { users: 0, events: 0, subscriptions: 0, revenue: 0, applications: 0, mailsFailed: 0 }
const filled = (spans: readonly SeriesSpan[]) =>
  spans.filter((span) => Object.values(span).some((value) => typeof value === 'number' && value > 0))

describe('the lines over time', () => {
  it('count each row on its own day', async () => {
    const { spans, mailsWaiting } = await seriesBy('day')
    expect([spans.length, spans[0]?.from, spans.at(-1)?.from]).toEqual([30, '2026-10-23', '2026-11-21'])
    expect(filled(spans)).toEqual([
      { ...nothing, from: '2026-10-23', subscriptions: 1 },
      { ...nothing, from: '2026-11-01', applications: 1, revenue: 5500 },
      { ...nothing, from: '2026-11-20', events: 1, applications: 2, mailsFailed: 3 },
      { ...nothing, from: '2026-11-21', events: 1, applications: 1 },
    ])
    expect(mailsWaiting).toBe(2)
  })

  it('count each row in its own month', async () => {
    const { spans } = await seriesBy('month')
    expect([spans.length, spans[0]?.from, spans.at(-1)?.from]).toEqual([12, '2025-12-01', '2026-11-01'])
    expect(filled(spans)).toEqual([
      { ...nothing, from: '2025-12-01', subscriptions: 1 },
      { ...nothing, from: '2026-10-01', users: 1, subscriptions: 1 },
      { from: '2026-11-01', users: 0, events: 2, subscriptions: 0, revenue: 5500, applications: 4, mailsFailed: 3 },
    ])
  })
})

describe('the page of an account', () => {
  it('tells its plans, payments and events, when it was last seen, and which mails failed', async () => {
    const { body } = await rig.run('getAccount', { as: ada, params: { id: olivia.userId } })
    expect(body).toMatchObject({
      username: 'Olivia',
      email: 'olivia@example.com',
      isAdmin: false,
      closedAt: null,
      createdAt: '2026-10-22T23:59:59.000Z',
      lastSeenAt: '2026-11-19T08:00:00.000Z',
      eventCount: 2,
      failedMails: 2,
    })
    expect(body.subscriptions.map(({ planName, isRunning, endDate }) => [planName, isRunning, endDate])).toEqual([
      ['Single Event', false, '2026-01-01T00:00:00.000Z'],
      ['Unlimited', true, expect.any(String)],
    ])
    expect(body.payments.map(({ provider, status, takenBackCents }) => [provider, status, takenBackCents])).toEqual([
      ['demo', 'paid', 0],
      ['stripe', 'failed', 0],
      ['stripe', 'paid', 5000],
      ['stripe', 'paid', 4500],
      ['stripe', 'paid', 0],
    ])
    const counts = Object.fromEntries(
      body.events.map(({ id, pending, approved, rejected }) => [id, { pending, approved, rejected }]),
    )
    expect(counts).toEqual({
      [harborId]: { pending: 1, approved: 1, rejected: 1 },
      [quayId]: { pending: 1, approved: 0, rejected: 0 },
    })
  })

  it('says nothing that applicants or the organizer wrote', async () => {
    const { text } = await rig.run('getAccount', { as: ada, params: { id: olivia.userId } })
    expect(text).not.toMatch(/Canary|secret|Bea|password/)
  })
})
