import { describe, expect, it } from 'vitest'
import { createKnex } from '../../db/knex-config.ts'
import { claimJobs } from '../../jobs/job-queue.ts'
import { makeJobsDue } from '../../testing/jobs/queued-jobs.ts'
import { setPushStage } from '../../testing/push/push-stage.ts'
import { eventBody } from '../../testing/route-rig.ts'
import { getVapidKeys } from '../../alerts/send-push.ts'
import { gatheringKind, queueAlert } from './new-application-alerts.ts'

const stage = await setPushStage()

describe('a new application', () => {
  it('alerts each device of the organizer once, encrypted and signed, fit to decide, nameless', async () => {
    const phone = await stage.subscribe('phone')
    const tablet = await stage.subscribe('tablet')
    const stranger = await stage.subscribe('other', stage.otto)
    const applicationId = (await stage.volunteer()).id
    await stage.work()
    expect(stage.service.complaints).toEqual([])
    const [message, ...more] = stage.receivedBy(phone)
    expect(more).toEqual([])
    expect(stage.receivedBy(tablet)).toHaveLength(1)
    expect(stage.receivedBy(stranger)).toEqual([])
    expect(message!.text).not.toMatch(/canary|nightingale|\b555\b/i)
    expect(JSON.parse(message!.text)).toEqual({
      web_push: 8030,
      mutable: true,
      notification: {
        title: 'Harbor Mixer',
        body: 'New Beacon application',
        navigate: `${stage.publicOrigin}/events/manage/${stage.eventId}?for=${stage.olivia.userId}&application=${applicationId}`,
        tag: `event-${stage.eventId}`,
        renotify: true,
        data: { userId: stage.olivia.userId, eventId: stage.eventId, applicationId },
      },
      app_badge: 1,
    })
    expect(message).toMatchObject({ topic: `event-${stage.eventId}`, urgency: 'high', ttl: '43200' })
    const { publicKey } = (await stage.run('getPushKey', { as: stage.olivia })).body
    expect(message?.vapid).toMatchObject({ aud: stage.service.origin, sub: 'mailto:push@beaconry.example', publicKey })
  })

  it('shares its alert with others of the same minute; the badge counts what waits everywhere', async () => {
    const phone = await stage.subscribe('phone')
    const other = (await stage.run('createEvent', { as: stage.olivia, body: eventBody({ name: 'Other' }) })).body.id
    await stage.volunteer(other)
    await stage.work()
    for (let count = 0; count < 3; count += 1) await stage.volunteer()
    await stage.work()
    const [, message] = stage.receivedBy(phone)
    expect(stage.receivedBy(phone)).toHaveLength(2)
    expect(JSON.parse(message!.text)).toMatchObject({
      notification: {
        body: '3 new Beacon applications',
        navigate: `${stage.publicOrigin}/events/manage/${stage.eventId}?for=${stage.olivia.userId}`,
        data: { userId: stage.olivia.userId, eventId: stage.eventId },
      },
      app_badge: 4,
    })
    expect(message?.text).not.toContain('applicationId')
  })

  it('within a minute of the last alert waits until the minute is over, and is then told alone', async () => {
    const phone = await stage.subscribe('phone')
    await stage.volunteer()
    await stage.work()
    stage.clock.now = new Date(stage.clock.now.getTime() + 60_000)
    const second = (await stage.volunteer()).id
    await stage.work()
    expect(stage.receivedBy(phone)).toHaveLength(1)
    const [waiting] = await stage.db('jobs').where({ kind: 'new-application-push', state: 'waiting' })
    expect(waiting?.runAt.getTime()).toBeGreaterThan(Date.now() + 50_000)
    expect(waiting?.attempts).toBe(0)
    await stage.db.raw(
      `update jobs set payload = payload || '{"alertedAt":"2020-01-01T00:00:00Z"}' where state = 'done' and kind = 'new-application-push'`,
    )
    await stage.work()
    expect(JSON.parse(stage.receivedBy(phone)[1]!.text)).toMatchObject({
      notification: { data: { applicationId: second } },
      app_badge: 2,
    })
  })

  it('that comes once the alert of the same minute has left is announced after a minute', async () => {
    await stage.subscribe('phone')
    await stage.volunteer()
    await stage.work()
    await stage.volunteer()
    await stage.work()
    expect(await stage.db('jobs').where({ kind: gatheringKind, state: 'waiting' })).toHaveLength(1)
  })

  it('that is stored while the shared job falls due is waited for by the workers', async () => {
    await stage.volunteer()
    const slots = new Map([[gatheringKind, 9]])
    await stage.db('jobs').update({ runAt: stage.db.raw(`now() + interval '300 milliseconds'`) })
    const storing = await stage.db.transaction()
    await queueAlert(storing, { id: 1, eventId: stage.eventId }, new Date())
    const isDue = async () =>
      (await stage.db('jobs').where({ kind: gatheringKind }).whereRaw('run_at <= now()')).length === 1
    await expect.poll(isDue, { interval: 100 }).toBe(true)
    expect(await claimJobs(stage.db, slots, 60_000, false)).toEqual([])
    await storing.commit()
    expect(await claimJobs(stage.db, slots, 60_000, false)).toHaveLength(1)
  })

  it('waits for no alert of its event that is under way', async () => {
    await stage.subscribe('phone')
    await stage.volunteer()
    const holding = await stage.db.transaction()
    await holding('push_subscriptions').forUpdate()
    const working = stage.work()
    const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await expect.poll(async () => (await stage.db.raw(waiting)).rows).toHaveLength(1)
    await stage.volunteer()
    expect((await stage.db.raw(waiting)).rows, 'the alert still waits').toHaveLength(1)
    await holding.commit()
    await working
  })

  it('that was decided before the alert left is not announced', async () => {
    const phone = await stage.subscribe('phone')
    await stage.decide((await stage.volunteer()).id, { status: 'approved' })
    await stage.work()
    expect(stage.receivedBy(phone)).toEqual([])
  })

  it('of an event that is gone is forgotten quietly', async () => {
    const phone = await stage.subscribe('phone')
    await stage.volunteer()
    await stage.run('deleteEvent', { as: stage.olivia, params: { id: stage.eventId } })
    await stage.work()
    expect(stage.receivedBy(phone)).toEqual([])
    expect(await stage.db('jobs').whereNot({ state: 'done' }).whereNot({ kind: 'send-mail' })).toEqual([])
  })
})

describe('a push service', () => {
  it.each([404, 410])('that answers %i is asked no more: the subscription is deleted', async (status) => {
    const gone = await stage.subscribe('phone')
    const alive = await stage.subscribe('tablet')
    stage.service.answerNext(gone.endpoint, { status })
    await stage.volunteer()
    await stage.work()
    expect(await stage.db('push_subscriptions').select('endpoint')).toEqual([{ endpoint: alive.endpoint }])
    expect(stage.receivedBy(alive)).toHaveLength(1)
  })

  it.each([
    ['that is asked too much', { status: 429, headers: { 'retry-after': '120' } }, 110_000],
    ['that fails', { status: 503 }, 1_000],
    ['that hangs up', 'hang up' as const, 1_000],
  ])('%s is tried again later, without alerting the other devices twice', async (_, answer, earliestMs) => {
    const phone = await stage.subscribe('phone')
    const tablet = await stage.subscribe('tablet')
    stage.service.answerNext(phone.endpoint, answer)
    await stage.volunteer()
    await stage.work()
    const [waiting] = await stage.db('jobs').where({ kind: 'send-push', state: 'waiting' })
    expect(waiting?.runAt.getTime()).toBeGreaterThan(Date.now() + earliestMs)
    expect(await stage.db('push_subscriptions').where({ endpoint: phone.endpoint }).first()).toMatchObject({
      failureCount: 1,
    })
    await makeJobsDue(stage.db)
    await stage.work()
    expect(stage.receivedBy(phone)).toHaveLength(1)
    expect(stage.receivedBy(tablet)).toHaveLength(1)
    expect(await stage.db('push_subscriptions').where({ endpoint: phone.endpoint }).first()).toMatchObject({
      failureCount: 0,
    })
  })

  it('that refuses the message is not bothered with it again', async () => {
    const phone = await stage.subscribe('phone')
    stage.service.answerNext(phone.endpoint, { status: 403 })
    await stage.volunteer()
    await stage.work()
    expect(await stage.db('jobs').where({ kind: 'send-push' })).toMatchObject([{ state: 'done' }])
    expect(stage.receivedBy(phone)).toEqual([])
  })

  it('that is not on the list is never dialled, even if it was stored', async () => {
    const phone = await stage.subscribe('phone')
    await stage.db('push_subscriptions').update({ endpoint: phone.endpoint.replace('localhost', '127.0.0.1') })
    await stage.volunteer()
    await stage.work()
    expect(await stage.db('push_subscriptions')).toEqual([])
    expect(stage.receivedBy(phone)).toEqual([])
  })
})

describe('subscribing a device', () => {
  it('keeps its address as it is dialled, and finds it again under the text it came as', async () => {
    const given = stage.service.subscribe()
    const endpoint = given.endpoint.replace('https://localhost', 'HTTPS:LOCALHOST')
    const as = stage.olivia
    expect((await stage.run('subscribePush', { as, body: { ...given, endpoint } })).status).toBe(204)
    expect(await stage.db('push_subscriptions').select('endpoint')).toEqual([{ endpoint: given.endpoint }])
    await stage.volunteer()
    await stage.work()
    expect(stage.receivedBy(given)).toHaveLength(1)
    expect((await stage.run('unsubscribePush', { as, body: { endpoint } })).status).toBe(204)
    expect(await stage.db('push_subscriptions')).toEqual([])
  })

  it.each([
    ['an address elsewhere', { endpoint: 'https://intranet.example/push' }, 'endpoint'],
    [
      'a key that is no point of the curve',
      { keys: { p256dh: Buffer.alloc(65, 4).toString('base64url'), auth: 'AAAAAAAAAAAAAAAAAAAAAA' } },
      'keys',
    ],
    ['a secret of another length', { keys: { p256dh: '', auth: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAA' } }, 'keys'],
  ])('refuses %s', async (_, changes, field) => {
    const good = stage.service.subscribe()
    const keys = 'keys' in changes ? { ...changes.keys, p256dh: changes.keys.p256dh || good.keys.p256dh } : good.keys
    const answer = await stage.run('subscribePush', { as: stage.olivia, body: { ...good, ...changes, keys } })
    expect(answer.status).toBe(400)
    expect(answer.body.fields).toHaveProperty(field)
  })

  it('again replaces the old address, and another person on the same browser takes it over', async () => {
    await stage.subscribe('phone')
    const second = await stage.subscribe('phone')
    const endpoints = async () => await stage.db('push_subscriptions').select('userId', 'endpoint')
    expect(await endpoints()).toEqual([{ userId: stage.olivia.userId, endpoint: second.endpoint }])
    await stage.run('subscribePush', { as: stage.otto, device: { id: 'phone', name: 'phone' }, body: second })
    expect(await endpoints()).toEqual([{ userId: stage.otto.userId, endpoint: second.endpoint }])
    await stage.run('unsubscribePush', { as: stage.olivia, body: { endpoint: second.endpoint } })
    expect(await endpoints()).toHaveLength(1)
    expect((await stage.run('unsubscribePush', { as: stage.otto, body: { endpoint: second.endpoint } })).status).toBe(
      204,
    )
    expect(await endpoints()).toEqual([])
  })
})

it('servers that start together agree on one key pair', async () => {
  await stage.db('vapid_keys').del()
  const servers = Array.from({ length: 4 }, () => createKnex(stage.connectionString))
  const keys = await Promise.all(servers.map((db) => getVapidKeys(db)))
  expect(new Set(keys.map(({ publicKey, privateKey }) => `${publicKey} ${privateKey}`)).size).toBe(1)
  expect(Buffer.from(keys[0]!.publicKey, 'base64url')).toHaveLength(65)
  await Promise.all(servers.map((db) => db.destroy()))
})
