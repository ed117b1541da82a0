import { beforeEach, describe, expect, it } from 'vitest'
import { publishOpenings } from '../testing/jobs/opening-jobs.ts'
import { setOrganizerStage } from '../testing/organizer-stage.ts'

const stage = await setOrganizerStage()
/** The event is from 6:30 to 9 PM in Chicago, on the first and the second of March. */
const evening = new Date('2099-03-02T00:10:00Z')

let eventId: number
let id: number
let token: string

beforeEach(async () => {
  eventId = (await stage.publish()).id
  const { body } = await stage.apply(eventId)
  id = body.id
  token = body.token
  stage.clock.now = evening
})

const checkIn = async (seenAt = evening) =>
  await stage.run('checkIn', { body: { token, seenAt: seenAt.toISOString() } })
const listed = async () => (await stage.run('listApplications', { as: stage.olivia, params: { id: eventId } })).body[0]

describe('an approved Beacon who checks in', () => {
  it('is shown to the organizer as here, once, and reads that on the own page', async () => {
    await stage.decide(id, { status: 'approved' })
    const answer = await checkIn()
    expect(answer.status).toBe(200)
    expect(answer.body.arrivals).toEqual([evening.toISOString()])
    expect(await listed()).toMatchObject({
      arrivedAt: evening.toISOString(),
      presence: { '2099-03-01': evening.toISOString() },
    })
    const feed = await stage.feed(`org:${stage.olivia.userId}`)
    expect(feed.at(-1)?.body).toContain(evening.toISOString())

    stage.clock.now = new Date(evening.getTime() + 3_600_000)
    expect((await checkIn(stage.clock.now)).body.arrivals).toEqual([evening.toISOString()])
    expect(await stage.feed(`org:${stage.olivia.userId}`)).toHaveLength(feed.length)
    const own = await stage.run('getOwnApplication', { applicationToken: token })
    expect(own.body.arrivals).toEqual([evening.toISOString()])
    expect(own.body).not.toHaveProperty('presence')
  })

  it('whose phone waited for a network has arrived when the button was pressed', async () => {
    await stage.decide(id, { status: 'approved' })
    stage.clock.now = new Date('2099-03-04T12:00:00Z')
    expect((await checkIn()).status).toBe(200)
    expect((await listed())?.arrivedAt).toBe(evening.toISOString())
  })

  it('whose clock runs ahead has arrived now', async () => {
    await stage.decide(id, { status: 'approved' })
    await checkIn(new Date(evening.getTime() + 600_000))
    expect((await listed())?.arrivedAt).toBe(evening.toISOString())
  })

  it('takes the place that “can’t come” had opened until the arrival is taken back', async () => {
    const full = (await stage.publish({ maxBeacons: 1 })).id
    const { body } = await stage.apply(full)
    await stage.decide(body.id, { status: 'approved' })
    const say = async (coming: boolean) => await stage.run('sayComing', { body: { token: body.token, coming } })
    const isThere = async () => {
      await publishOpenings(stage.db)
      const { applicationsClosed } = (await stage.run('getEvent', { params: { id: full } })).body
      const shown = (await stage.run('listBeacons', { params: { id: full } })).body
      return [applicationsClosed, shown.length]
    }
    await say(false)
    expect(await isThere()).toEqual([false, 0])
    await stage.run('checkIn', { body: { token: body.token, seenAt: evening.toISOString() } })
    expect(await isThere()).toEqual([true, 1])
    const undo = { present: null, day: '2099-03-01' }
    const { status } = await stage.run('markApplication', {
      as: stage.olivia,
      params: { beaconId: body.id },
      body: undo,
    })
    expect(status).toBe(200)
    expect(await isThere()).toEqual([false, 0])
  })

  it('does not read that the organizer saw nobody on another day', async () => {
    await stage.decide(id, { status: 'approved' })
    const answer = { present: false, day: '2099-03-01' }
    await stage.run('markApplication', { as: stage.olivia, params: { beaconId: id }, body: answer })
    const own = await stage.run('getOwnApplication', { applicationToken: token })
    expect(own.body).not.toHaveProperty('arrivals')
  })
})
