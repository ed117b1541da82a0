import { beforeEach, describe, expect, it } from 'vitest'
import { newId } from '#shared/record/new-id.ts'
import { UNLIMITED } from '../testing/billing-rows.ts'
import { setOrganizerStage } from '../testing/organizer-stage.ts'
import { applicationBody, eventBody, type Person, type RigCall } from '../testing/route-rig.ts'

const stage = await setOrganizerStage()

beforeEach(async () => {
  await stage.addSubscription(stage.otto, UNLIMITED)
})

const create = async (as: Person, id: number, more: RigCall = {}) =>
  await stage.run('createEvent', { as, body: { ...eventBody(), id }, ...more })
const statusFor = async (id: number) => (await stage.run('getEvent', { params: { id } })).status

/** The id of an event of Olivia's that she has deleted. */
async function deletedEvent(before: (id: number) => Promise<void> = async () => undefined): Promise<number> {
  const id = newId()
  await stage.publish({ id })
  await before(id)
  expect((await stage.run('deleteEvent', { as: stage.olivia, params: { id } })).status).toBe(204)
  return id
}

describe('the id of a deleted event', () => {
  it('is refused to everybody, so that its posters lead nowhere', async () => {
    const id = await deletedEvent()
    for (const [who, again] of [
      [stage.otto, false],
      [stage.olivia, false],
      [stage.olivia, true],
    ] as const) {
      const { status, body } = await create(who, id, { again })
      expect([status, body.code]).toEqual([409, 'already_exists'])
    }
    expect(await statusFor(id)).toBe(404)
    expect(await stage.db('events').where({ id })).toEqual([])
  })
})

describe('the id of a deleted application', () => {
  const apply = async (eventId: number, id: number, changes: Record<string, unknown> = {}, more: RigCall = {}) =>
    await stage.run('applyAsBeacon', { params: { eventId }, body: { ...applicationBody(changes), id }, ...more })

  it('is refused to others, whether it was deleted alone or with its event', async () => {
    const { id: eventId } = await stage.publish()
    const [alone, withEvent] = [newId(), newId()]
    const { body } = await apply(eventId, alone)
    await stage.run('deleteOwnApplication', { body: { token: body.token } })
    const gone = await deletedEvent(async (id) => void (await apply(id, withEvent)))
    expect(await statusFor(gone)).toBe(404)
    for (const id of [alone, withEvent])
      for (const again of [false, true]) {
        const answer = await apply(eventId, id, { email: 'bo@example.com' }, { again })
        expect([answer.status, answer.body.code]).toEqual([409, 'already_exists'])
      }
    expect(await stage.db('applications').where({ eventId })).toEqual([])
  })
})
