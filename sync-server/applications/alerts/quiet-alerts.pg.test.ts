import { describe, expect, it } from 'vitest'
import { setPushStage } from '../../testing/push/push-stage.ts'
import { eventBody } from '../../testing/route-rig.ts'

const stage = await setPushStage()

const night = { from: '22:00', to: '07:00', timeZone: 'America/Los_Angeles' }
/** A day in winter that has not come: what waits for its morning is not due for the database's own clock. */
const day = `${new Date().getUTCFullYear() + 1}-01-22`
/** In Los Angeles half past one at night, when its night ends, and ten in the morning. */
const atNight = new Date(`${day}T09:30:00Z`)
const nightEnds = new Date(`${day}T15:00:00Z`)
const morning = new Date(`${day}T18:00:00Z`)

const idOf = async (deviceId: string) => {
  const devices = (await stage.run('listAlertedDevices', { as: stage.olivia })).body
  return devices.find(({ deviceName }) => deviceName === deviceId)!.id
}

async function leaveAlone(deviceId: string, quietHours: typeof night | null = night): Promise<void> {
  const answer = await stage.leaveAlone(deviceId, quietHours)
  expect(answer.status).toBe(200)
  expect(answer.body.quietHours).toEqual(quietHours)
}

/** Olivia's phone at night. */
async function phoneAtNight() {
  const phone = await stage.subscribe('phone')
  await leaveAlone('phone')
  stage.taskNow = atNight
  return phone
}
const addEvent = async (name: string) =>
  (await stage.run('createEvent', { as: stage.olivia, body: eventBody({ name }) })).body.id
/** An application, with all that comes of it at once. */
async function applied(eventId?: number) {
  const application = await stage.volunteer(eventId)
  await stage.work()
  return application
}
async function nightIsOver() {
  stage.taskNow = nightEnds
  await stage.hurry('quiet-alert')
}

const waiting = async () => await stage.db('jobs').where({ kind: 'quiet-alert', state: 'waiting' })

describe('a device in its quiet hours', () => {
  it('is alerted once, when they end, about all that came meanwhile; the others at once', async () => {
    const tablet = await stage.subscribe('tablet')
    const phone = await phoneAtNight()
    const other = await addEvent('Other')
    await applied()
    await applied(other)
    expect(stage.messagesTo(phone)).toEqual([])
    expect(stage.messagesTo(tablet)).toHaveLength(2)
    const [job, ...more] = await waiting()
    expect(more).toEqual([])
    expect(job?.runAt).toEqual(nightEnds)

    await nightIsOver()
    const [message, ...again] = stage.messagesTo(phone)
    expect(again).toEqual([])
    expect(message).toMatchObject({
      notification: {
        title: 'Beaconry',
        body: '2 new Beacon applications at 2 events',
        navigate: `${stage.publicOrigin}/dashboard`,
        tag: 'events',
        data: { userId: stage.olivia.userId },
      },
      app_badge: 2,
    })
    expect(stage.receivedBy(phone)[0]).toMatchObject({ topic: 'events', ttl: '43200' })
    expect(stage.messagesTo(tablet)).toHaveLength(2)
  })

  it('hears nothing of what was decided before they ended, and its badge is right', async () => {
    const phone = await phoneAtNight()
    const first = await applied()
    const other = await addEvent('Other')
    const second = await applied(other)
    await stage.decide(first.id, { status: 'approved' })
    await nightIsOver()
    expect(stage.messagesTo(phone)).toMatchObject([
      {
        notification: {
          title: 'Other',
          body: 'New Beacon application',
          data: { applicationId: second.id },
        },
        app_badge: 1,
      },
    ])
  })

  it.each<[string, (applicationId: number) => Promise<unknown>]>([
    ['when no application waits any more', async (id) => await stage.decide(id, { status: 'rejected' })],
    [
      'once it was turned off',
      async () => await stage.run('endAlerts', { as: stage.olivia, params: { id: await idOf('phone') } }),
    ],
  ])('is not alerted at all %s', async (_, meanwhile) => {
    const phone = await phoneAtNight()
    await meanwhile((await applied()).id)
    await nightIsOver()
    expect(stage.messagesTo(phone)).toEqual([])
    expect(await stage.db('jobs').whereNot({ state: 'done' }).where({ kind: 'quiet-alert' })).toEqual([])
  })

  it('is alerted at once when they are turned off, and later when they are made longer', async () => {
    const phone = await phoneAtNight()
    await applied()
    await leaveAlone('phone', { ...night, to: '08:30' })
    await stage.work()
    expect(stage.messagesTo(phone)).toEqual([])
    expect((await waiting())[0]?.runAt).toEqual(new Date(`${day}T16:30:00Z`))
    await leaveAlone('phone', null)
    await stage.work()
    expect(stage.messagesTo(phone)).toHaveLength(1)
    expect(await waiting()).toEqual([])
  })

  it('is told in one alert with what comes while it waits, however its hours change', async () => {
    const phone = await phoneAtNight()
    await applied()
    stage.service.answerNext(phone.endpoint, { status: 429, headers: { 'retry-after': '300' } })
    await nightIsOver()
    expect((await waiting())[0]?.runAt.getTime()).toBeGreaterThan(Date.now() + 290_000)
    const other = await addEvent('Other')
    stage.taskNow = morning
    await stage.volunteer(other)
    await leaveAlone('phone', null)
    await stage.work()
    expect(stage.messagesTo(phone)).toEqual([])
    expect((await waiting())[0]?.runAt.getTime()).toBeGreaterThan(Date.now() + 200_000)
    await stage.hurry('quiet-alert')
    expect(stage.messagesTo(phone)).toMatchObject([{ notification: { body: '2 new Beacon applications at 2 events' } }])
  })

  it('waits with an alert whose retry falls into them', async () => {
    const phone = await stage.subscribe('phone')
    await leaveAlone('phone')
    stage.taskNow = morning
    stage.service.answerNext(phone.endpoint, { status: 503 })
    await applied()
    stage.taskNow = atNight
    await stage.hurry('send-push')
    expect(stage.messagesTo(phone)).toEqual([])
    const [job] = await stage.db('jobs').where({ kind: 'send-push', state: 'waiting' })
    expect(job?.runAt).toEqual(nightEnds)
    await leaveAlone('phone', null)
    await stage.work()
    expect(stage.messagesTo(phone)).toHaveLength(1)
  })

  it('has them in whatever zone it is in, and keeps them under another address', async () => {
    await stage.subscribe('phone')
    await leaveAlone('phone')
    const again = stage.service.subscribe()
    await stage.run('subscribePush', {
      as: stage.olivia,
      device: { id: 'phone', name: 'phone' },
      body: { ...again, timeZone: 'Asia/Tokyo' },
    })
    const devices = (await stage.run('listAlertedDevices', { as: stage.olivia })).body
    expect(devices.map(({ quietHours }) => quietHours)).toEqual([{ ...night, timeZone: 'Asia/Tokyo' }])
    await stage.run('subscribePush', { as: stage.otto, device: { id: 'phone', name: 'phone' }, body: again })
    expect((await stage.run('listAlertedDevices', { as: stage.otto })).body).toMatchObject([{ quietHours: null }])
  })
})

it('two that gather for a device at the same time leave one waiting alert behind', async () => {
  const phone = await phoneAtNight()
  const events = await Promise.all(['One', 'Two', 'Three', 'Four'].map(addEvent))
  for (const id of events) await stage.volunteer(id)
  await stage.work()
  expect(await waiting()).toHaveLength(1)
  await nightIsOver()
  expect(stage.messagesTo(phone)).toMatchObject([{ notification: { body: '4 new Beacon applications at 4 events' } }])
})

it.each([
  ['a start that is no time', { ...night, from: '24:00' }, 'quietHours.from'],
  ['an end that is the start', { ...night, to: '22:00' }, 'quietHours.to'],
  ['a zone that does not exist', { ...night, timeZone: 'Mars/Olympus' }, 'quietHours.timeZone'],
])('quiet hours with %s are refused', async (_, quietHours, field) => {
  await stage.subscribe('phone')
  const answer = await stage.leaveAlone('phone', quietHours)
  expect(answer.status).toBe(400)
  expect(answer.body.fields).toHaveProperty([field])
})
