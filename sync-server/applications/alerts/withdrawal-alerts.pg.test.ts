import { beforeEach, describe, expect, it } from 'vitest'
import type { FakeSubscription } from '../../testing/push/push-service.ts'
import { setPushStage } from '../../testing/push/push-stage.ts'
import { correctedBody } from '../../testing/route-rig.ts'

const stage = await setPushStage()
let phone: FakeSubscription

beforeEach(async () => {
  phone = await stage.subscribe('phone')
})

async function approved(): Promise<{ id: number; token: string }> {
  const applicant = await stage.volunteer()
  expect((await stage.decide(applicant.id, { status: 'approved' })).status).toBe(200)
  return applicant
}
const withdraw = async (token: string) =>
  expect((await stage.run('withdrawApplication', { body: { token } })).status).toBe(200)
/** Everything about Beacons that waits is due. */
const newsIsDue = async () => await stage.hurry('beacon-news')

describe('an approved Beacon who withdraws', () => {
  it('alerts every device of the organizer, without a name, under a tag of its own', async () => {
    const tablet = await stage.subscribe('tablet')
    const stranger = await stage.subscribe('other', stage.otto)
    const bea = await approved()
    await withdraw(bea.token)
    await newsIsDue()
    expect(stage.service.complaints).toEqual([])
    const expected = {
      web_push: 8030,
      mutable: true,
      notification: {
        title: 'Harbor Mixer',
        body: 'A Beacon has withdrawn.',
        navigate: `${stage.publicOrigin}/events/manage/${stage.eventId}?application=${bea.id}`,
        tag: `withdrawn-${stage.eventId}`,
        renotify: true,
        data: { userId: stage.olivia.userId, eventId: stage.eventId },
      },
      app_badge: 0,
    }
    expect(stage.messagesTo(phone)).toEqual([expected])
    expect(stage.messagesTo(tablet)).toEqual([expected])
    expect(stage.messagesTo(stranger)).toEqual([])
    const [received] = stage.receivedBy(phone)
    expect(received?.text).not.toMatch(/canary|nightingale|\b555\b/i)
    expect(received).toMatchObject({ topic: `withdrawn-${stage.eventId}`, urgency: 'high' })
  })

  it('does not swallow the alert about a new application, nor is swallowed by it', async () => {
    const bea = await approved()
    await withdraw(bea.token)
    await stage.volunteer()
    await stage.work()
    await newsIsDue()
    expect(stage.messagesTo(phone).map(({ notification }) => [notification.tag, notification.body])).toEqual([
      [`event-${stage.eventId}`, 'New Beacon application'],
      [`withdrawn-${stage.eventId}`, 'A Beacon has withdrawn.'],
    ])
  })

  it('within a minute of others shares their alert', async () => {
    const tokens = [await approved(), await approved(), await approved()].map(({ token }) => token)
    for (const token of tokens) await withdraw(token)
    await newsIsDue()
    expect(stage.messagesTo(phone).map(({ notification }) => notification.body)).toEqual(['3 Beacons have withdrawn.'])
  })

  it('withdraws once: pressing again on another phone alerts nobody again', async () => {
    const bea = await approved()
    await withdraw(bea.token)
    await newsIsDue()
    await withdraw(bea.token)
    await newsIsDue()
    expect(stage.messagesTo(phone)).toHaveLength(1)
  })

  it.each<[string, () => Promise<unknown>]>([
    [
      'at their end',
      async () => {
        stage.taskNow = new Date('2030-01-02T07:00:00Z')
        await stage.hurry('send-beacon-news')
      },
    ],
    ['as soon as they are turned off', async () => [await stage.leaveAlone('phone', null), await stage.work()]],
  ])('within quiet hours is told of together with others, %s', async (_when, endThem) => {
    await stage.leaveAlone('phone', { from: '22:00', to: '07:00', timeZone: 'UTC' })
    stage.taskNow = new Date('2030-01-01T23:00:00Z')
    await withdraw((await approved()).token)
    await newsIsDue()
    await withdraw((await approved()).token)
    await newsIsDue()
    expect(stage.messagesTo(phone)).toEqual([])
    await endThem()
    expect(stage.messagesTo(phone).map(({ notification }) => notification.body)).toEqual(['2 Beacons have withdrawn.'])
  })
})

const say = async (token: string, coming: boolean) =>
  expect((await stage.run('sayComing', { body: { token, coming } })).status).toBe(200)
const correct = async (token: string, changes: Record<string, unknown>) => {
  const own = (await stage.run('getOwnApplication', { applicationToken: token })).body
  const person = { firstName: 'Canary', lastName: 'Nightingale', email: own.email, phone: '555-0100' }
  const fields = correctedBody({ ...person, ...changes })
  expect((await stage.run('correctApplication', { body: { token, ...fields } })).status).toBe(200)
}

it.each<[string, { body: string; tag: string; act: (token: string) => Promise<unknown> }]>([
  [
    'can’t come',
    {
      body: 'A Beacon can’t come.',
      tag: 'absent',
      act: async (token) => {
        for (const coming of [true, false, false]) await say(token, coming)
      },
    },
  ],
  [
    'changes what guests read',
    {
      body: 'A Beacon changed what guests read.',
      tag: 'changed',
      act: (token) => correct(token, { bio: 'canary-bio', linkedinUrl: 'https://www.linkedin.com/in/canary' }),
    },
  ],
])('an approved Beacon who %s alerts the organizer, once and without a word of theirs', async (_, news) => {
  const { id, token } = await approved()
  await news.act(token)
  await newsIsDue()
  const navigate = `${stage.publicOrigin}/events/manage/${stage.eventId}?application=${id}`
  const told = stage.messagesTo(phone)
  expect(told).toMatchObject([{ notification: { body: news.body, tag: `${news.tag}-${stage.eventId}`, navigate } }])
  expect(JSON.stringify(told)).not.toMatch(/canary/i)
})

it.each<[string, () => Promise<unknown>]>([
  ['withdraws before anybody has decided', async () => await withdraw((await stage.volunteer()).token)],
  [
    'withdraws from an event that is deleted meanwhile',
    async () => {
      await withdraw((await approved()).token)
      await stage.run('deleteEvent', { as: stage.olivia, params: { id: stage.eventId } })
    },
  ],
  [
    'changes what no guest reads',
    async () => await correct((await approved()).token, { expertise: 'Something else', phone: '555-0101' }),
  ],
  [
    'changes anything before the approval',
    async () => await correct((await stage.volunteer()).token, { bio: 'Something else' }),
  ],
])('who %s alerts no device', async (_, act) => {
  await act()
  await newsIsDue()
  const tags = stage.messagesTo(phone).map(({ notification }) => notification.tag)
  expect(tags.filter((tag) => tag !== `event-${stage.eventId}`)).toEqual([])
})
