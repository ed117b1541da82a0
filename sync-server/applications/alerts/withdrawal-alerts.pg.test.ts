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
  it('withdraws once: pressing again on another phone alerts nobody again', async () => {
    const bea = await approved()
    await withdraw(bea.token)
    await newsIsDue()
    await withdraw(bea.token)
    await newsIsDue()
    expect(stage.messagesTo(phone)).toHaveLength(1)
  })

  it('within quiet hours is told of together with others, as soon as they are turned off', async () => {
    await stage.leaveAlone('phone', { from: '22:00', to: '07:00', timeZone: 'UTC' })
    stage.taskNow = new Date('2030-01-01T23:00:00Z')
    await withdraw((await approved()).token)
    await newsIsDue()
    await withdraw((await approved()).token)
    await newsIsDue()
    expect(stage.messagesTo(phone)).toEqual([])
    await stage.leaveAlone('phone', null)
    await stage.work()
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
  ['withdraws', { body: 'A Beacon has withdrawn.', tag: 'withdrawn', act: withdraw }],
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
])('an approved Beacon who %s alerts each device once, without a word of theirs', async (_, news) => {
  const tablet = await stage.subscribe('tablet')
  const stranger = await stage.subscribe('other', stage.otto)
  const { id, token } = await approved()
  await news.act(token)
  await newsIsDue()
  const navigate = `${stage.publicOrigin}/events/manage/${stage.eventId}?for=${stage.olivia.userId}&application=${id}`
  const data = { userId: stage.olivia.userId, eventId: stage.eventId }
  const notification = { title: 'Harbor Mixer', body: news.body, tag: `${news.tag}-${stage.eventId}`, navigate, data }
  for (const device of [phone, tablet]) expect(stage.messagesTo(device)).toMatchObject([{ notification }])
  expect(JSON.stringify(stage.messagesTo(phone))).not.toMatch(/canary|nightingale|\b555\b/i)
  expect(stage.messagesTo(stranger)).toEqual([])
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
    'can’t come and then comes after all',
    async () => {
      const { token } = await approved()
      for (const coming of [false, true]) await say(token, coming)
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
