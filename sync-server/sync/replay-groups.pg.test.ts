import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { stateOf } from '#shared/record/basis.ts'
import type { ApplicationRow } from '../db/rows/application-rows.ts'
import type { EventRow } from '../db/rows/event-rows.ts'
import { ProblemError } from '../calls/problems.ts'
import { correctedBody, eventBody, openPool } from '../testing/route-rig.ts'
import { presentAnyEvent, setTestServer, type Member } from '../testing/test-server.ts'
import { newKeyPair } from '../db/key-pair.ts'

let olivia: Member
let eventId: number
/** Called by every deletion before it is refused or done, with its number. */
let atDeletion: (id: number, backend: () => Promise<number>) => Promise<void> = async () => undefined

const server = await setTestServer({
  present: presentAnyEvent,
  handlers: {
    // A small real effect: one row per deletion. 404 is refused after writing, 500 breaks.
    deleteEvent: async ({ db, params, caller, touch }) => {
      await db.raw('insert into effects values (?)', [params.id])
      await atDeletion(params.id, async () => (await db.raw('select pg_backend_pid() as pid')).rows[0].pid)
      if (params.id === 404) throw new ProblemError('not_found', 'Event Not Found')
      if (params.id === 429) throw new ProblemError('too_many_requests', 'Wait', { retryAfterSeconds: 9 })
      if (params.id === 500) throw new TypeError('broken')
      touch({ what: 'event', id: params.id, organizerId: caller!.userId })
      return undefined
    },
  },
})
await server.db.raw('create table effects (id bigint)')
await openPool(server.db)

beforeEach(async () => {
  atDeletion = async () => undefined
  await server.db('events').del()
  await server.db('users').del()
  await server.db.raw('delete from effects')
  await server.db('idempotency_keys').del()
  await server.db('jobs').del()
  olivia = await server.addMember('Olivia', { deviceName: 'Olivia’s phone' })
  const [event] = await server
    .db('events')
    .insert({
      ...eventBody(),
      ...newKeyPair(),
      organizerId: olivia.userId,
      timeZone: 'America/Chicago',
    } as Partial<EventRow>)
    .returning('id')
  eventId = event!.id
})

interface Entry {
  key: string
  route: string
  lane: string
  params: Record<string, number>
  body?: unknown
  basis?: string | null
  again?: boolean
}

const deletion = (id: number, lane = `event:${id}`): Entry => ({
  key: randomUUID(),
  route: 'deleteEvent',
  lane,
  params: { id },
})
const decision = (beaconId: number, status = 'approved', basis?: string | null): Entry => ({
  key: randomUUID(),
  route: 'decideApplication',
  lane: `application:${beaconId}`,
  params: { beaconId },
  body: { status },
  ...(basis === undefined ? {} : { basis }),
})

async function replay(entries: readonly Entry[], client = olivia): Promise<any[]> {
  const answer = await client.call('replayMutations', { body: { account: olivia.userId, entries } })
  return answer.body
}

async function addApplications(count: number): Promise<number[]> {
  const rows = await server
    .db('applications')
    .insert(
      Array.from({ length: count }, () => ({
        ...(correctedBody({ email: `${randomUUID()}@example.com` }) as Partial<ApplicationRow>),
        eventId,
        termsAcceptedAt: new Date(),
        termsVersion: '1',
        statusTokenHash: randomUUID(),
      })),
    )
    .returning('id')
  return rows.map(({ id }) => id)
}

const effects = async (): Promise<number[]> =>
  (await server.db.raw('select id from effects order by id')).rows.map(({ id }: { id: number }) => id)
const feedVersions = async () =>
  (
    await server
      .db('sync_log')
      .where({ scope: `org:${olivia.userId}` })
      .orderBy('version')
      .select('version')
  ).map(({ version }) => version)
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

describe('changes that share a transaction', () => {
  it('lose only the refused one among them, and all name the version that includes them', async () => {
    const entries = [deletion(1), deletion(404), deletion(2), deletion(429), deletion(3)]
    const verdicts = await replay(entries)
    expect(verdicts.map(({ status, version }) => [status, version])).toEqual([
      [204, 3],
      [404, undefined],
      [204, 3],
      [429, undefined],
      [204, 3],
    ])
    expect(await effects()).toEqual([1, 2, 3])
    expect(await feedVersions()).toEqual([1, 2, 3])
    const kept = await server.db('idempotency_keys').whereIn(
      'key',
      entries.map(({ key }) => key),
    )
    // Waiting can change the 429, so it may be tried again under its key.
    expect(kept.map(({ status }) => status).sort()).toEqual([204, 204, 204, 404])
    expect(await server.db('audit_log').where({ userId: olivia.userId, route: 'deleteEvent' })).toHaveLength(4)
    expect((await replay([entries[1]!]))[0]).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })

  it('are made one by one when one of them breaks, and only that one fails', async () => {
    const verdicts = await replay([deletion(1), deletion(500), deletion(2)])
    expect(verdicts.map(({ status, version }) => [status, version])).toEqual([
      [204, 1],
      [500, undefined],
      [204, 2],
    ])
    expect(await effects()).toEqual([1, 2])
  })

  it('leave nothing behind when the database ends their connection, and are then made once', async () => {
    let killed = 0
    let visible: number[] = [-1]
    atDeletion = async (id, backend) => {
      if (id !== 3 || killed > 0) return
      killed = await backend()
      await server.db.raw('select pg_terminate_backend(?)', [killed])
      visible = await effects()
    }
    const verdicts = await replay([1, 2, 3, 4, 5].map((id) => deletion(id)))
    expect(killed).toBeGreaterThan(0)
    expect(visible).toEqual([])
    expect(verdicts.map(({ status, version }) => [status, version])).toEqual(upTo(5).map((version) => [204, version]))
    expect(await effects()).toEqual(upTo(5))
    expect(await server.db('audit_log').where({ userId: olivia.userId, route: 'deleteEvent' })).toHaveLength(5)
  })

  it('happen once when the same batch arrives twice at the same moment, even in another order', async () => {
    const entries = (await addApplications(60)).map((id) => decision(id, 'approved', null))
    const [one, other] = await Promise.all([replay(entries), replay([...entries].reverse())])
    expect(one.map(({ status }) => status)).toEqual(entries.map(() => 200))
    expect(new Map(other.map((verdict) => [verdict.key, verdict]))).toEqual(
      new Map(one.map((verdict) => [verdict.key, verdict])),
    )
    expect(await server.db('application_decisions')).toHaveLength(60)
    expect(await server.db('jobs').whereLike('key', 'decision-mail:%')).toHaveLength(60)
    expect(await server.db('audit_log').where({ userId: olivia.userId, route: 'decideApplication' })).toHaveLength(60)
    expect(await feedVersions()).toEqual(upTo(60))
    expect(one.map(({ version }) => version)).toEqual(upTo(60).map(() => 60))
  })

  it('of one key are one change, and another request under it is refused', async () => {
    const entry = deletion(7)
    const verdicts = await replay([entry, { ...entry, lane: 'again' }, { ...deletion(8), key: entry.key }])
    expect(verdicts.map(({ status, body }) => [status, body?.code])).toEqual([
      [204, undefined],
      [204, undefined],
      [422, 'key_reused'],
    ])
    expect(await effects()).toEqual([7])
  })
})

const megabyte = 1_000_000

it('a batch of large answers leaves out the documents after a megabyte, and nothing else', async () => {
  const ids = await addApplications(60)
  const answers = upTo(30).map((n) => ({ question: `Question ${n}`, answer: randomUUID().repeat(55) }))
  await server.db('applications').update({ customAnswers: JSON.stringify(answers) })
  const conflict = decision(ids[0]!, 'rejected', randomUUID())
  const entries = [...ids.map((id) => decision(id)), { ...conflict, lane: 'last' }]
  const answer = await olivia.call('replayMutations', { body: { account: olivia.userId, entries } })
  expect(answer.text.length).toBeLessThan(megabyte + 70_000 + 200 * entries.length)
  expect(answer.text.length).toBeGreaterThan(0.9 * megabyte)
  const verdicts: any[] = answer.body
  expect(verdicts.map(({ status }) => status)).toEqual([...ids.map(() => 200), 409])
  expect(verdicts[0].body).toMatchObject({ id: ids[0], status: 'approved' })
  expect(verdicts.at(-2)).not.toHaveProperty('body')
  expect(verdicts.at(-1).body).toMatchObject({ code: 'conflict' })
  expect(verdicts.at(-1).body).not.toHaveProperty('current')
})

it('a batch asks handlers fifty times at most, and what is left is sent again', async () => {
  const [id = 0] = await addApplications(1)
  let left: Entry[] = upTo(60).map((n) => ({
    key: randomUUID(),
    route: 'markApplication',
    lane: `lane ${n}`,
    params: { beaconId: id },
    body: { starred: n % 2 === 1 },
  }))
  const verdicts: any[] = await replay(left)
  expect(verdicts.map(({ untouched }) => untouched ?? false)).toEqual(left.map((_, index) => index >= 50))
  left = left.slice(50)
  expect(
    await server.db('idempotency_keys').whereIn(
      'key',
      left.map(({ key }) => key),
    ),
  ).toEqual([])
  expect((await replay(left)).map(({ status }) => status)).toEqual(left.map(() => 200))
})

it('a repeat gets the status and version of the first time, with what is there now or nothing', async () => {
  const [id] = (await addApplications(1)) as [number]
  const params = { beaconId: id }
  const keys = upTo(3).map(() => randomUUID())
  const stale = { ...decision(id, 'rejected', randomUUID()), key: keys[2]! }
  const inABatch = async () => {
    const [{ status, body, version }] = await replay([stale])
    return { status, body, headers: new Headers(version === undefined ? {} : { 'x-version': String(version) }) }
  }
  const calls = [
    () => olivia.call('decideApplication', { key: keys[0]!, params, body: { status: 'approved' } }),
    () => olivia.call('markApplication', { key: keys[1]!, params, body: { note: 'Speaks Spanish' } }),
    inABatch,
  ]
  const documentOf = ({ body }: { body: any }) => body.current ?? body
  const first = []
  for (const call of calls) first.push(await call())
  expect(first.map(({ status }) => status)).toEqual([200, 200, 409])
  await olivia.call('markApplication', { params, body: { starred: true } })
  for (const [index, call] of calls.entries()) {
    const repeated = await call()
    expect(repeated.status).toBe(first[index]!.status)
    expect(repeated.headers.get('x-version')).toBe(first[index]!.headers.get('x-version'))
    expect(documentOf(repeated)).toMatchObject({ id, note: 'Speaks Spanish', starred: true })
  }
  const document = { collection: 'applications' as const, docId: String(id) }
  await server.db('sync_log').where(document).update({ deleted: true, body: null })
  const gone = []
  for (const call of calls) gone.push(await call())
  expect(gone.map(({ status }) => status)).toEqual([200, 200, 409])
  expect(gone.slice(0, 2).map(({ body }) => body)).toEqual([undefined, undefined])
})

describe('a decision', () => {
  /** One of every kind: done, done already, impossible, about nothing, wrong; made on an older one, on one that is lost. */
  async function everyKind(): Promise<Entry[]> {
    const [pending, approved, older, withdrawn, lost] = (await addApplications(5)) as [
      number,
      number,
      number,
      number,
      number,
    ]
    await olivia.call('decideApplication', { params: { beaconId: approved }, body: { status: 'approved' } })
    await olivia.call('decideApplication', { params: { beaconId: older }, body: { status: 'approved' } })
    await server.db('applications').where({ id: withdrawn }).update({ status: 'rejected', withdrawnAt: new Date() })
    return [
      decision(pending, 'approved'),
      decision(approved, 'approved'),
      decision(withdrawn, 'approved'),
      decision(999_999, 'approved'),
      decision(pending, 'maybe'),
      decision(older, 'rejected', null),
      { ...decision(lost, 'approved', randomUUID()), again: true },
    ]
  }
  const withoutNumbers = (body: unknown) =>
    JSON.stringify(body).replace(
      /"(id|email|createdAt|decidedAt|withdrawnAt|at|requestId|origin|basis)":("[^"]*"|\d+)/g,
      '"$1":"*"',
    )

  it('is answered alike in a batch, alone, and as a plain call, which names no basis', async () => {
    const batch = await everyKind()
    const single = await everyKind()
    const verdicts = await replay(batch.map((entry, index) => ({ ...entry, lane: `lane ${index}` })))
    for (const [index, entry] of single.entries()) {
      const { key, params, body } = entry
      const alone =
        entry.basis === undefined
          ? await olivia.call('decideApplication', { key, params, body })
          : (await replay([entry]))[0]
      expect([verdicts[index].status, withoutNumbers(verdicts[index].body)]).toEqual([
        alone.status,
        withoutNumbers(alone.body),
      ])
    }
    expect(verdicts.map(({ status, body }) => [status, body.code])).toEqual([
      [200, undefined],
      [200, undefined],
      [409, 'not_allowed_now'],
      [404, 'not_found'],
      [400, 'invalid_input'],
      [409, 'conflict'],
      [409, 'conflict'],
    ])
  })
})

describe('a change that names the change before it', () => {
  const stateOfRow = async (id: number) =>
    await server.db('applications').where({ id }).first('status', 'decisionNumber')

  it('is made on what that one came to, though that one changed nothing, in one batch and in two', async () => {
    const [together, apart] = (await addApplications(2)) as [number, number]
    for (const id of [together, apart])
      await olivia.call('decideApplication', { params: { beaconId: id }, body: { status: 'approved' } })
    for (const id of [together, apart]) {
      // Approved already: it changes nothing, and leaves a state that another change has made.
      const already = decision(id, 'approved', null)
      const next = decision(id, 'rejected', already.key)
      const last = decision(id, 'approved', next.key)
      const batches = id === together ? [[already, next, last]] : [[already], [next], [last]]
      for (const batch of batches)
        expect((await replay(batch)).map(({ status }) => status)).toEqual(batch.map(() => 200))
      expect(await stateOfRow(id)).toEqual({ status: 'approved', decisionNumber: 3 })
    }
  })

  it('may name the state that it left just as well, and its key in any case', async () => {
    const [id] = (await addApplications(1)) as [number]
    const first = decision(id, 'approved', null)
    const second = decision(id, 'rejected', stateOf(first.key))
    const third = decision(id, 'approved', second.key.toUpperCase())
    const verdicts = await replay([first, second, third])
    expect(verdicts.map(({ status, body }) => [status, body.basis])).toEqual(
      [first, second, third].map(({ key }) => [200, stateOf(key)]),
    )
  })

  it('is a conflict when another device decided after that one', async () => {
    const [id] = (await addApplications(1)) as [number]
    const first = decision(id, 'approved', null)
    await replay([first])
    await olivia.call('decideApplication', { params: { beaconId: id }, body: { status: 'rejected' } })
    await olivia.call('decideApplication', { params: { beaconId: id }, body: { status: 'approved' } })
    // It is approved now as it was then, by another decision.
    const [verdict] = await replay([decision(id, 'rejected', first.key)])
    expect([verdict.status, verdict.body.code]).toEqual([409, 'conflict'])
    expect(await stateOfRow(id)).toEqual({ status: 'approved', decisionNumber: 3 })
  })

  it('is a conflict where that one is unknown, was refused, forbidden, or is another account’s', async () => {
    const [one, two, three, four] = (await addApplications(4)) as [number, number, number, number]
    const refused = decision(two, 'rejected', randomUUID())
    expect((await replay([refused]))[0].status).toBe(409)
    const forbidden = decision(three, 'approved', null)
    await olivia.call('cancelMutation', { body: { account: olivia.userId, key: forbidden.key } })
    const otto = await server.addMember('Otto')
    // Read as Olivia's it would fit: it has left no state, and her application is in none yet.
    const theirs = deletion(9)
    await otto.call('replayMutations', { body: { account: otto.userId, entries: [theirs] } })
    const [kept] = await server.db('idempotency_keys').where({ key: theirs.key })
    expect(kept).toMatchObject({ scope: `user:${otto.userId}`, status: 204, leftState: null })
    const behind = [
      decision(one, 'approved', randomUUID()),
      decision(two, 'approved', refused.key),
      decision(three, 'approved', forbidden.key),
      decision(four, 'approved', theirs.key),
    ]
    const verdicts = await replay(behind)
    expect(verdicts.map(({ status, body }) => [status, body.code])).toEqual(behind.map(() => [409, 'conflict']))
    for (const id of [one, two, three, four])
      expect(await stateOfRow(id)).toEqual({ status: 'pending', decisionNumber: 0 })
  })

  it('is a conflict where a restore has lost that one, though all is as wished', async () => {
    const [id] = (await addApplications(1)) as [number]
    const kept = decision(id, 'approved', null)
    await replay([kept])
    // This database has never known the rejection that the phone saw, and that another one still has.
    const lost: Entry = { ...decision(id, 'rejected', stateOf(kept.key)), again: true }
    const last: Entry = { ...decision(id, 'approved', stateOf(lost.key)), again: true }
    expect((await replay([last]))[0]).toMatchObject({
      status: 409,
      body: { code: 'conflict', current: { status: 'approved', basis: stateOf(kept.key) } },
    })
    expect((await replay([lost]))[0].status).toBe(200)
    expect(await stateOfRow(id)).toEqual({ status: 'rejected', decisionNumber: 2 })
  })
})
