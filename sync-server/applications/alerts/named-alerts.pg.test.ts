import { beforeEach, describe, expect, it } from 'vitest'
import type { FakeSubscription } from '../../testing/push/push-service.ts'
import { addSession } from '../../testing/account-rows.ts'
import { sessionHash } from '../../http/session-cookies.ts'
import { setPushStage } from '../../testing/push/push-stage.ts'

const stage = await setPushStage()
let phone: FakeSubscription

beforeEach(async () => {
  phone = await stage.subscribe('phone')
  await stage.showNames('phone', true)
})

const textsTo = (subscription: FakeSubscription) =>
  stage.messagesTo(subscription).map(({ notification: { title, body } }) => [title, body])

describe('a device that shows names', () => {
  it('is told who applied, with what a decision about that person needs', async () => {
    const { id: applicationId } = await stage.volunteer()
    await stage.work()
    expect(stage.service.complaints).toEqual([])
    const data = { applicationId, applicantName: 'Canary Nightingale' }
    const body = 'Canary Nightingale applied for Harbor Mixer'
    expect(stage.messagesTo(phone)).toMatchObject([{ notification: { body, data } }])
    expect(stage.receivedBy(phone)[0]?.text).not.toMatch(/canary-|\b555\b/)
  })

  it('gets a count and no name when several people wait', async () => {
    await stage.volunteer()
    await stage.volunteer()
    await stage.work()
    expect(textsTo(phone)).toEqual([['Harbor Mixer', '2 new Beacon applications']])
    expect(stage.receivedBy(phone)[0]?.text).not.toMatch(/canary|applicationId/i)
  })

  it('does not make the other devices name anybody', async () => {
    const tablet = await stage.subscribe('tablet')
    await stage.volunteer()
    await stage.work()
    expect(textsTo(tablet)).toEqual([['Harbor Mixer', 'New Beacon application']])
    expect(stage.receivedBy(tablet)[0]?.text).not.toMatch(/canary/i)
  })

  it('names nobody once that is turned off, even in an alert that waits already', async () => {
    stage.service.answerNext(phone.endpoint, { status: 503 })
    await stage.volunteer()
    await stage.work()
    await stage.showNames('phone', false)
    await stage.hurry('send-push')
    expect(textsTo(phone)).toEqual([['Harbor Mixer', 'New Beacon application']])
    expect(stage.receivedBy(phone)[0]?.text).not.toMatch(/canary/i)
  })

  it('gets nothing once its session has run out, not even an alert that waits already', async () => {
    const sessionIdHash = sessionHash(await addSession(stage.db, stage.olivia.userId))
    await stage.db('push_subscriptions').update({ sessionIdHash })
    stage.service.answerNext(phone.endpoint, { status: 503 })
    await stage.volunteer()
    await stage.work()
    await stage
      .db('sessions')
      .where({ idHash: sessionIdHash })
      .update({ expiresAt: new Date(0) })
    await stage.hurry('send-push')
    expect(stage.messagesTo(phone)).toEqual([])
    await stage.db('jobs').del()
    await stage.volunteer()
    await stage.work()
    expect(await stage.db('jobs').where({ kind: 'send-push' })).toEqual([])
  })

  it('keeps that under a new address, but never for another person', async () => {
    await stage.subscribe('phone')
    const listed = async (person = stage.olivia) =>
      (await stage.run('listAlertedDevices', { as: person })).body.map(({ showNames }) => showNames)
    expect(await listed()).toEqual([true])
    const { endpoint } = (await stage.db('push_subscriptions').first('endpoint'))!
    const body = { ...phone, endpoint }
    await stage.run('subscribePush', { as: stage.otto, device: { id: 'phone', name: 'phone' }, body })
    expect(await listed(stage.otto)).toEqual([false])
    expect(await listed()).toEqual([])
  })
})

it('a device that subscribes again at the same moment does not overwrite the choice', async () => {
  const choice = await stage.db.transaction()
  await choice('push_subscriptions').update({ showNames: false })
  const again = stage.run('subscribePush', {
    as: stage.olivia,
    device: { id: 'phone', name: 'phone' },
    body: { ...phone, expirationTime: null },
  })
  const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await expect.poll(async () => (await stage.db.raw(waiting)).rows).toHaveLength(1)
  await choice.commit()
  expect((await again).status).toBe(204)
  expect(await stage.db('push_subscriptions').pluck('showNames')).toEqual([false])
})

it('only the owner of a device says whether it shows names', async () => {
  const { id } = (await stage.run('listAlertedDevices', { as: stage.olivia })).body[0]!
  const answer = await stage.run('setShowNames', { as: stage.otto, params: { id }, body: { showNames: false } })
  expect(answer.status).toBe(404)
  expect(await stage.db('push_subscriptions').pluck('showNames')).toEqual([true])
})

describe('news about a Beacon on a device that shows names', () => {
  const approved = async () => {
    const applicant = await stage.volunteer()
    await stage.decide(applicant.id, { status: 'approved' })
    return applicant
  }
  const withdraw = async (token: string) => await stage.run('withdrawApplication', { body: { token } })

  it('says whom it is about', async () => {
    await withdraw((await approved()).token)
    await stage.hurry('beacon-news')
    expect(textsTo(phone)).toEqual([['Harbor Mixer', 'Canary Nightingale has withdrawn.']])
  })

  it('counts several people, and names nobody whose application is deleted', async () => {
    for (const { token } of [await approved(), await approved()]) await withdraw(token)
    await stage.hurry('beacon-news')
    const { id, token } = await approved()
    await withdraw(token)
    await stage.db('applications').where({ id }).del()
    await stage.hurry('beacon-news')
    expect(textsTo(phone)).toEqual([
      ['Harbor Mixer', '2 Beacons have withdrawn.'],
      ['Harbor Mixer', 'A Beacon has withdrawn.'],
    ])
  })
})

describe('devices of the organizer’s team', () => {
  const join = async (role: 'reviewer' | 'door') => {
    const joinedAt = new Date()
    await stage
      .db('team_members')
      .insert({ organizerId: stage.olivia.userId, userId: stage.otto.userId, role, joinedAt })
    return await stage.subscribe(`of ${role}`, stage.otto)
  }

  it('are alerted of a reviewer, with the way to the organizer’s event and what waits there', async () => {
    const subscription = await join('reviewer')
    const { id, token } = await stage.volunteer()
    await stage.work()
    const way = `${stage.publicOrigin}/events/manage/${stage.eventId}?for=${stage.olivia.userId}&application=${id}`
    const [message, ...more] = stage.messagesTo(subscription)
    expect([message?.notification.navigate, message?.app_badge, more]).toEqual([way, 1, []])
    await stage.decide(id, { status: 'approved' })
    await stage.run('withdrawApplication', { body: { token } })
    await stage.hurry('beacon-news')
    expect(textsTo(subscription).at(-1)).toEqual(['Harbor Mixer', 'A Beacon has withdrawn.'])
  })

  it('are not alerted at the door, nor once the membership has ended', async () => {
    const subscription = await join('door')
    await stage.volunteer()
    await stage.work()
    expect(stage.messagesTo(subscription)).toEqual([])
    await stage.db('team_members').update({ role: 'reviewer' })
    stage.service.answerNext(subscription.endpoint, { status: 503 })
    await stage.volunteer()
    await stage.hurry('new-application-push')
    await stage.db('team_members').del()
    await stage.hurry('send-push')
    expect(stage.messagesTo(subscription)).toEqual([])
  })
})
