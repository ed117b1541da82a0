import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { applicationBody, eventBody } from '../testing/route-rig.ts'
import { crowd, setVisitedEvent, useUp } from '../testing/visited-event.ts'

const stage = await setVisitedEvent({ customQuestions: ['Why?'] })
const here = { 'x-forwarded-for': '198.51.100.1' }
const apply = (changes: Record<string, unknown> = {}) => stage.apply('198.51.100.1', changes)

/** How many rows there are that a visitor can add to without an account, but for the keys of changes. */
async function rowsKept(): Promise<number> {
  let rows = 0
  for (const table of ['applications', 'audit_log', 'jobs', 'mails']) {
    const counted = await stage.server.db.raw<{ rows: { count: number }[] }>('select count(*)::int as count from ??', [
      table,
    ])
    rows += counted.rows[0]?.count ?? 0
  }
  return rows
}

const inBatch = (entries: object[]) =>
  stage.server.client().request('POST', '/api/sync/mutations', {
    body: JSON.stringify({ account: null, entries }),
    headers: here,
  })
const entry = (more: object) => ({ key: randomUUID(), route: 'applyAsBeacon', lane: randomUUID(), ...more })

it.each<[string, number, () => Promise<{ status: number }>]>([
  ['when a program gives itself away', 400, () => apply({ website: 'https://spam.example' })],
  ['when the application is there already', 409, () => apply({ email: 'bea@example.com' })],
  [
    'when the event does not exist',
    404,
    () => stage.server.call('applyAsBeacon', { params: { eventId: 2_000_000_000 }, body: applicationBody() }),
  ],
  ['when no account is signed in that could sign out', 204, () => stage.server.call('logout')],
  [
    'when the password is wrong',
    401,
    () => stage.server.call('login', { body: { email: 'nobody@example.com', password: 'wrong password' } }),
  ],
  [
    'when each of many changes in one request is refused',
    400,
    async () => {
      const refused = { params: { eventId: stage.eventId }, body: applicationBody({ filledInMs: 1 }) }
      const { body } = await inBatch(Array.from({ length: 25 }, () => entry(refused)))
      return { status: Math.max(...body.map(({ status }: { status: number }) => status)) }
    },
  ],
])('what a visitor does leaves no row %s', async (_, status, act) => {
  expect((await apply({ email: 'bea@example.com' })).status).toBe(201)
  const before = await rowsKept()
  for (let n = 0; n < 3; n += 1) expect((await act()).status).toBe(status)
  expect(await rowsKept()).toBe(before)
})

it('a visitor’s refusal is repeated under its key, at less than a kilobyte', async () => {
  const key = randomUUID()
  const late = {
    params: { eventId: stage.eventId },
    body: applicationBody({ email: 'late@example.com' }),
    key,
    headers: here,
  }
  const visitor = stage.server.client()
  await stage.olivia.call('updateEvent', {
    params: { id: stage.eventId },
    body: eventBody({ applicationsClosed: true }),
  })
  expect((await visitor.call('applyAsBeacon', late)).status).toBe(409)
  await stage.olivia.call('updateEvent', {
    params: { id: stage.eventId },
    body: eventBody({ applicationsClosed: false }),
  })
  expect((await visitor.call('applyAsBeacon', late)).status).toBe(409)
  const { rows } = await stage.server.db.raw<{ rows: { bytes: number }[] }>(
    'select pg_column_size(k.*) as bytes from idempotency_keys k where key = ?',
    [key],
  )
  expect(rows).toHaveLength(1)
  expect(rows[0]?.bytes).toBeLessThan(1024)
})

it('a change that happened is one line of the audit, whoever made it', async () => {
  const last = async () => await stage.server.db('audit_log').orderBy('id', 'desc').first()
  expect((await apply()).status).toBe(201)
  expect(await last()).toMatchObject({
    userId: null,
    route: 'applyAsBeacon',
    subject: String(stage.eventId),
    status: 201,
  })
  const otto = { username: randomUUID().slice(0, 20), email: `${randomUUID()}@example.com`, password: 'harbor light' }
  const registered = await stage.server.call('register', { body: otto, headers: here })
  expect(await last()).toMatchObject({ userId: registered.body.id, route: 'register', status: 201 })
  const ada = await stage.server.addMember('Ada', { isAdmin: true })
  await ada.ok('endAccountSessions', { params: { id: registered.body.id } })
  const subject = String(registered.body.id)
  expect(await last()).toMatchObject({ userId: ada.userId, route: 'endAccountSessions', subject, status: 204 })
})

it('the audit names what was acted on as it was understood, however it was written', async () => {
  const subjects = async () =>
    (await stage.server.db('audit_log').where({ route: 'deleteEvent' }).orderBy('id')).map(({ subject }) => subject)
  const odd = entry({ route: 'deleteEvent', params: { id: `${' '.repeat(14_000)}${stage.eventId}` } })
  await stage.olivia.call('replayMutations', { body: { account: stage.olivia.userId, entries: [odd] } })
  expect(await subjects(), 'what is no number is kept by nobody').toEqual([])
  const deleted = await stage.olivia.request('DELETE', `/api/events/${String(stage.eventId).padStart(10, '0')}`)
  expect(deleted.status, deleted.text).toBe(204)
  expect(await subjects()).toEqual([String(stage.eventId)])
})

describe('one phone behind the address of a venue', () => {
  const large = () =>
    applicationBody({
      customAnswers: Array.from({ length: 30 }, (_, n) => ({ question: `Question ${n}`, answer: 'x'.repeat(2000) })),
    })
  const toNoEvent = () => ({ params: { eventId: 2_000_000_000 }, body: large() })
  const spent = async () => {
    const rows = await stage.server.db('rate_limits').where('key', 'like', 'visitor-change%').select('points')
    return rows.reduce((sum, { points }) => sum + points, 0)
  }

  it("leaves the next volunteer's application untouched by 48 large requests to no event", async () => {
    const direct = () => stage.server.call('applyAsBeacon', { ...toNoEvent(), headers: here })
    expect(await crowd(48, direct, 12)).toEqual({ 404: 48 })
    const queued = async () => (await inBatch([entry(toNoEvent())])).body[0]
    expect(await crowd(48, queued, 12)).toEqual({ 404: 48 })
    expect(await crowd(10, () => apply({ bio: 'I like people. '.repeat(60) }))).toEqual({ 201: 10 })
  })

  it('pays for what an event refuses as for what it takes', async () => {
    const refused = await stage.server.call('applyAsBeacon', {
      params: { eventId: stage.eventId },
      body: { ...large(), filledInMs: 1 },
      headers: here,
    })
    expect(refused.status).toBe(400)
    expect(await spent()).toBeGreaterThan(130)
  })

  it('pays for each entry of a batch, also for what cannot be read', async () => {
    const readable = { params: { eventId: stage.eventId }, body: applicationBody({ email: 'ben@example.com' }) }
    const unreadable = [{ route: 'noCall' }, { params: null, body: 7 }, { route: 'deleteEvent', params: { id: 1 } }]
    const { body: verdicts } = await inBatch([...unreadable, ...unreadable, readable].map(entry))
    expect(verdicts.map(({ status }: { status: number }) => status)).toEqual([400, 400, 401, 400, 400, 401, 201])
    await inBatch([entry({ params: null })])
    await useUp(stage.server.db, 'visitor-change', 135, 4400)
    // What its process has taken already is handed out first.
    const all = await inBatch(Array.from({ length: 40 }, () => entry({ params: null })))
    const last = all.body.slice(20) as any[]
    expect(last.map(({ status, body, retryAfterSeconds }) => [status, body.code, retryAfterSeconds <= 900])).toEqual(
      last.map(() => [429, 'too_many_requests', true]),
    )
  })
})

it('an organizer publishes 100 events within a day; a refused one uses none of the plan', async () => {
  await useUp(stage.server.db, 'new-event', 99, 0)
  await stage.publish()
  const used = async () => (await stage.olivia.call('getSubscription')).body.subscription.eventsUsed as number
  const before = await used()
  const refused = await stage.olivia.call('createEvent', { body: eventBody() })
  expect([refused.status, refused.body.message]).toEqual([
    429,
    expect.stringContaining('You have published a hundred events within a day.'),
  ])
  expect(await used()).toBe(before)
})
