import { describe, expect, it } from 'vitest'
import { setPushStage } from '../testing/push/push-stage.ts'
import { setTestServer, statusesOf } from '../testing/test-server.ts'

const stage = await setPushStage()
const server = await setTestServer({ db: stage.db, config: { pushHosts: null } })

const list = async (device = 'phone', person = stage.olivia) =>
  (await stage.run('listAlertedDevices', { as: person, device: { id: device, name: device } })).body

describe('the devices with alerts', () => {
  it('are listed with when they were last reached, this one first, and nobody else’s', async () => {
    await stage.subscribe('tablet')
    const phone = await stage.subscribe('phone')
    await stage.subscribe('stranger', stage.otto)
    expect(await list()).toMatchObject([
      { deviceName: 'phone', current: true, lastDeliveredAt: null, failing: false, quietHours: null },
      { deviceName: 'tablet', current: false },
    ])
    stage.service.answerNext(phone.endpoint, { status: 503 })
    await stage.volunteer()
    await stage.work()
    const [failing, reached] = await list()
    expect(failing).toMatchObject({ deviceName: 'phone', lastDeliveredAt: null, failing: true })
    expect(reached).toMatchObject({ deviceName: 'tablet', failing: false })
    expect(Date.parse(reached!.lastDeliveredAt!)).toBeGreaterThan(Date.now() - 60_000)
    await stage.hurry('send-push')
    expect((await list())[0]).toMatchObject({ deviceName: 'phone', failing: false })
    expect(JSON.stringify(await list())).not.toContain(stage.service.host)
  })

  it('are turned off by their owner from anywhere, and then hear nothing', async () => {
    const lost = await stage.subscribe('lost')
    const phone = await stage.subscribe('phone')
    const { id } = (await list()).find(({ deviceName }) => deviceName === 'lost')!
    const quiet = { params: { id }, body: { quietHours: { from: '22:00', to: '07:00', timeZone: 'UTC' } } }
    expect((await stage.run('setQuietHours', { as: stage.otto, ...quiet })).status).toBe(404)
    expect((await stage.run('endAlerts', { as: stage.otto, params: { id } })).status).toBe(404)
    expect((await stage.run('endAlerts', { as: stage.olivia, params: { id } })).status).toBe(204)
    expect((await stage.run('endAlerts', { as: stage.olivia, params: { id } })).status).toBe(404)
    await stage.volunteer()
    await stage.work()
    expect(stage.receivedBy(lost)).toEqual([])
    expect(stage.receivedBy(phone)).toHaveLength(1)
  })

  it('stay alerted when somebody else’s device calls itself the same', async () => {
    await stage.subscribe('phone')
    await stage.subscribe('phone', stage.otto)
    expect(await list()).toHaveLength(1)
  })
})

describe('a test alert', () => {
  const send = async (endpoint: string, person = stage.olivia) =>
    await stage.run('sendTestAlert', { as: person, body: { endpoint } })

  it('reaches the device that asked, names its test, and does not wait for quiet hours', async () => {
    const phone = await stage.subscribe('phone')
    const tablet = await stage.subscribe('tablet')
    const [{ id } = { id: 0 }] = await list()
    await stage.run('setQuietHours', {
      as: stage.olivia,
      params: { id },
      body: { quietHours: { from: '00:00', to: '23:59', timeZone: 'UTC' } },
    })
    await stage.db('push_subscriptions').where({ id }).update({ failureCount: 3 })
    const answer = await send(phone.endpoint)
    expect(answer.status).toBe(200)
    await stage.work()
    expect(stage.service.complaints).toEqual([])
    expect(stage.messagesTo(phone)).toEqual([
      {
        web_push: 8030,
        mutable: true,
        notification: {
          title: 'Test alert',
          body: 'Alerts reach this device.',
          navigate: `${stage.publicOrigin}/profile`,
          tag: 'test-alert',
          renotify: true,
          data: { userId: stage.olivia.userId, testId: answer.body.testId },
        },
        app_badge: 0,
      },
    ])
    expect(stage.receivedBy(phone)[0]).toMatchObject({ topic: 'test-alert', urgency: 'high', ttl: '120' })
    expect(stage.messagesTo(tablet)).toEqual([])
    expect((await list())[0]).toMatchObject({ failing: false })
    expect(stage.spent).toContain(`test-alert user:${stage.olivia.userId}`)
  })

  it('cannot be sent to a device of somebody else, or one without alerts', async () => {
    const phone = await stage.subscribe('phone')
    expect((await send(phone.endpoint, stage.otto)).status).toBe(404)
    expect((await send(stage.service.subscribe().endpoint)).status).toBe(404)
    await stage.work()
    expect(stage.messagesTo(phone)).toEqual([])
  })
})

it('asking for test alerts again and again is refused after the sixth', async () => {
  const client = server.client()
  await client.signInAs(stage.olivia.userId)
  const { keys } = stage.service.subscribe()
  const endpoint = 'https://fcm.googleapis.com/fcm/send/olivia'
  expect((await client.call('subscribePush', { body: { endpoint, keys } })).status).toBe(204)
  const sent = await statusesOf(7, () => client.call('sendTestAlert', { body: { endpoint } }))
  expect(sent).toEqual([200, 200, 200, 200, 200, 200, 429])
  expect(await stage.db('jobs').where({ kind: 'test-alert' })).toHaveLength(6)
})
