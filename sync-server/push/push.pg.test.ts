import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createKnex } from '../db/knex-config.ts'
import { startWorker, type Worker } from '../jobs/worker.ts'
import { startPushService, type FakeSubscription, type PushService } from '../testing/push-service.ts'
import { applicationBody, createRouteRig, eventBody, type Person, type RouteRig } from '../testing/route-rig.ts'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import type { PushMessage } from './push-message.ts'
import { createPushTasks } from './push-tasks.ts'
import { getVapidKeys } from './vapid-keys.ts'

const log = pino({ level: 'silent' })
const publicOrigin = 'https://beaconry.example'

let database: TestDatabase
let service: PushService
let rig: RouteRig
let olivia: Person
let eventId: number
let worker: Worker | undefined
let round = 0

beforeAll(async () => {
  database = await createTestDatabase()
  service = await startPushService()
})
afterAll(async () => {
  await service.close()
  await database.drop()
})
beforeEach(async () => {
  await database.db('jobs').del()
  await database.db('push_subscriptions').del()
  rig = createRouteRig(database.db, { pushHosts: [service.host], publicOrigin })
  round += 1
  olivia = await rig.addPerson(`Olivia${round}`)
  await rig.addSubscription(olivia, 3)
  eventId = (await rig.run('createEvent', { as: olivia, body: eventBody() })).body.id
})
afterEach(async () => {
  await worker?.stop()
  worker = undefined
})

async function subscribe(deviceId: string, person = olivia): Promise<FakeSubscription> {
  const subscription = service.subscribe()
  const answer = await rig.run('subscribePush', {
    as: person,
    device: { id: deviceId, name: deviceId },
    body: { ...subscription, expirationTime: null },
  })
  expect(answer.status).toBe(204)
  return subscription
}

let applicants = 0
async function apply(id = eventId): Promise<number> {
  applicants += 1
  const answer = await rig.run('applyAsBeacon', {
    params: { eventId: id },
    body: applicationBody({
      firstName: 'Canary',
      lastName: 'Nightingale',
      email: `canary-${applicants}@example.com`,
      phone: '555-0100',
    }),
  })
  expect(answer.status).toBe(201)
  return answer.body.id
}

/** Everything that waits runs now, until nothing is left to do at once. */
async function work(): Promise<void> {
  const tasks = createPushTasks({
    db: database.db,
    config: { publicOrigin, pushHosts: [service.host], vapidSubject: 'mailto:push@beaconry.example' },
    log,
    agent: service.agent,
  })
  worker ??= startWorker(database.db, tasks, log, { pollMs: 20 })
  await database
    .db('jobs')
    .where({ kind: 'new-application-push', attempts: 0 })
    .update({ run_at: new Date(0) })
  await vi.waitFor(
    async () => {
      const due = await database
        .db('jobs')
        .whereIn('kind', ['new-application-push', 'send-push'])
        .whereRaw(`(state = 'running' or (state = 'waiting' and run_at <= now()))`)
      expect(due).toEqual([])
    },
    { timeout: 10_000, interval: 20 },
  )
}

const messagesTo = (subscription: FakeSubscription) =>
  service.received.filter(({ endpoint }) => endpoint === subscription.endpoint)
const parsed = (text: string | undefined) => JSON.parse(text ?? 'null') as PushMessage

describe('a new application', () => {
  it('alerts each of the organizer’s devices once, encrypted and signed, with what is needed to decide at once', async () => {
    const phone = await subscribe('phone')
    const tablet = await subscribe('tablet')
    const stranger = await subscribe('other', await rig.addPerson(`Otto${round}`))
    const applicationId = await apply()
    await work()
    expect(service.complaints).toEqual([])
    const [message, ...more] = messagesTo(phone)
    expect(more).toEqual([])
    expect(messagesTo(tablet)).toHaveLength(1)
    expect(messagesTo(stranger)).toEqual([])
    expect(parsed(message?.text)).toEqual({
      web_push: 8030,
      notification: {
        title: 'Harbor Mixer',
        body: 'New Beacon application',
        navigate: `${publicOrigin}/events/manage/${eventId}?application=${applicationId}`,
        tag: `event-${eventId}`,
        data: { userId: olivia.userId, eventId, applicationId, expectedDecisionNumber: 0 },
      },
      app_badge: 1,
    })
    expect(message).toMatchObject({ topic: `event-${eventId}`, urgency: 'high', ttl: '43200' })
    const { publicKey } = (await rig.run('getPushKey', { as: olivia })).body
    expect(message?.vapid).toMatchObject({ aud: service.origin, sub: 'mailto:push@beaconry.example', publicKey })
  })

  it('never names the applicant', async () => {
    const phone = await subscribe('phone')
    await apply()
    await work()
    expect(
      messagesTo(phone)
        .map(({ text }) => text)
        .join(),
    ).not.toMatch(/canary|nightingale|555/i)
  })

  it('shares its alert with others of the same minute, and the badge counts what waits at all events', async () => {
    const phone = await subscribe('phone')
    const other = (await rig.run('createEvent', { as: olivia, body: eventBody({ name: 'Other' }) })).body.id
    await apply(other)
    await work()
    for (let count = 0; count < 3; count += 1) await apply()
    await work()
    const [, message] = messagesTo(phone)
    expect(messagesTo(phone)).toHaveLength(2)
    expect(parsed(message?.text)).toMatchObject({
      notification: {
        body: '3 new Beacon applications',
        navigate: `${publicOrigin}/events/manage/${eventId}`,
        data: { userId: olivia.userId, eventId },
      },
      app_badge: 4,
    })
    expect(message?.text).not.toContain('applicationId')
  })

  it('within a minute of the last alert waits until the minute is over, and is then told alone', async () => {
    const phone = await subscribe('phone')
    await apply()
    await work()
    rig.clock.now = new Date(rig.clock.now.getTime() + 60_000)
    const second = await apply()
    await work()
    expect(messagesTo(phone)).toHaveLength(1)
    const [waiting] = await database.db('jobs').where({ kind: 'new-application-push', state: 'waiting' })
    expect(waiting?.run_at.getTime()).toBeGreaterThan(Date.now() + 50_000)
    expect(waiting?.attempts).toBe(0)
    await database.db.raw(
      `update jobs set payload = payload || '{"alertedAt":"2020-01-01T00:00:00Z"}' where state = 'done' and kind = 'new-application-push'`,
    )
    await work()
    expect(parsed(messagesTo(phone)[1]?.text)).toMatchObject({
      notification: { data: { applicationId: second } },
      app_badge: 2,
    })
  })

  it('that was decided before the alert left is not announced', async () => {
    const phone = await subscribe('phone')
    await rig.run('decideApplication', {
      as: olivia,
      params: { beaconId: await apply() },
      body: { status: 'approved' },
    })
    await work()
    expect(messagesTo(phone)).toEqual([])
  })

  it('of an event that is gone is forgotten quietly', async () => {
    const phone = await subscribe('phone')
    await apply()
    await rig.run('deleteEvent', { as: olivia, params: { id: eventId } })
    await work()
    expect(messagesTo(phone)).toEqual([])
    expect(await database.db('jobs').whereNot({ state: 'done' })).toEqual([])
  })
})

describe('a push service', () => {
  it.each([404, 410])('that answers %i is asked no more: the subscription is deleted', async (status) => {
    const gone = await subscribe('phone')
    const alive = await subscribe('tablet')
    service.answerNext(gone.endpoint, { status })
    await apply()
    await work()
    expect(await database.db('push_subscriptions').select('endpoint')).toEqual([{ endpoint: alive.endpoint }])
    expect(messagesTo(alive)).toHaveLength(1)
  })

  it.each([
    ['that is asked too much', { status: 429, headers: { 'retry-after': '120' } }, 110_000],
    ['that fails', { status: 503 }, 1_000],
    ['that hangs up', 'hang up' as const, 1_000],
  ])('%s is tried again later, without alerting the other devices twice', async (_, answer, earliestMs) => {
    const phone = await subscribe('phone')
    const tablet = await subscribe('tablet')
    service.answerNext(phone.endpoint, answer)
    await apply()
    await work()
    const [waiting] = await database.db('jobs').where({ kind: 'send-push', state: 'waiting' })
    expect(waiting?.run_at.getTime()).toBeGreaterThan(Date.now() + earliestMs)
    expect(await database.db('push_subscriptions').where({ endpoint: phone.endpoint }).first()).toMatchObject({
      failure_count: 1,
    })
    await database
      .db('jobs')
      .where({ state: 'waiting' })
      .update({ run_at: new Date(0) })
    await work()
    expect(messagesTo(phone)).toHaveLength(1)
    expect(messagesTo(tablet)).toHaveLength(1)
    expect(await database.db('push_subscriptions').where({ endpoint: phone.endpoint }).first()).toMatchObject({
      failure_count: 0,
    })
  })

  it('that refuses the message is not bothered with it again', async () => {
    const phone = await subscribe('phone')
    service.answerNext(phone.endpoint, { status: 403 })
    await apply()
    await work()
    expect(await database.db('jobs').where({ kind: 'send-push' })).toMatchObject([{ state: 'done' }])
    expect(messagesTo(phone)).toEqual([])
  })

  it('that is not on the list is never dialled, even if it was stored', async () => {
    const phone = await subscribe('phone')
    await database.db('push_subscriptions').update({ endpoint: phone.endpoint.replace('localhost', '127.0.0.1') })
    await apply()
    await work()
    expect(await database.db('push_subscriptions')).toEqual([])
    expect(messagesTo(phone)).toEqual([])
  })
})

describe('subscribing a device', () => {
  it.each([
    ['an address elsewhere', { endpoint: 'https://intranet.example/push' }, 'endpoint'],
    [
      'a key that is no point of the curve',
      { keys: { p256dh: Buffer.alloc(65, 4).toString('base64url'), auth: 'AAAAAAAAAAAAAAAAAAAAAA' } },
      'keys',
    ],
    ['a secret of another length', { keys: { p256dh: '', auth: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAA' } }, 'keys'],
  ])('refuses %s', async (_, changes, field) => {
    const good = service.subscribe()
    const keys = 'keys' in changes ? { ...changes.keys, p256dh: changes.keys.p256dh || good.keys.p256dh } : good.keys
    const answer = await rig.run('subscribePush', { as: olivia, body: { ...good, ...changes, keys } })
    expect(answer.status).toBe(400)
    expect(answer.body.fields).toHaveProperty(field)
  })

  it('again replaces the old address, and another person on the same browser takes it over', async () => {
    await subscribe('phone')
    const second = await subscribe('phone')
    const endpoints = async () => await database.db('push_subscriptions').select('user_id', 'endpoint')
    expect(await endpoints()).toEqual([{ user_id: olivia.userId, endpoint: second.endpoint }])
    const otto = await rig.addPerson(`Otto${round}`)
    await rig.run('subscribePush', { as: otto, device: { id: 'phone', name: 'phone' }, body: second })
    expect(await endpoints()).toEqual([{ user_id: otto.userId, endpoint: second.endpoint }])
    await rig.run('unsubscribePush', { as: olivia, body: { endpoint: second.endpoint } })
    expect(await endpoints()).toHaveLength(1)
    expect((await rig.run('unsubscribePush', { as: otto, body: { endpoint: second.endpoint } })).status).toBe(204)
    expect(await endpoints()).toEqual([])
  })

  it('needs somebody signed in', async () => {
    const subscription = service.subscribe()
    expect((await rig.run('getPushKey')).status).toBe(401)
    expect((await rig.run('subscribePush', { body: subscription })).status).toBe(401)
    expect((await rig.run('unsubscribePush', { body: { endpoint: subscription.endpoint } })).status).toBe(401)
  })
})

it('servers that start together agree on one key pair', async () => {
  await database.db('vapid_keys').del()
  const servers = Array.from({ length: 4 }, () => createKnex(database.connectionString))
  const keys = await Promise.all(servers.map((db) => getVapidKeys(db)))
  expect(new Set(keys.map(({ publicKey, privateKey }) => `${publicKey} ${privateKey}`)).size).toBe(1)
  expect(Buffer.from(keys[0]!.publicKey, 'base64url')).toHaveLength(65)
  await Promise.all(servers.map((db) => db.destroy()))
})
