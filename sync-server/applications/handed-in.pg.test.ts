import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { newId } from '#shared/record/new-id.ts'
import { setOrganizerStage } from '../testing/organizer-stage.ts'
import { doorEvent } from '../team/door-view.ts'
import { applicationBody, openPool } from '../testing/route-rig.ts'

const stage = await setOrganizerStage()
let eventId: number
beforeEach(async () => {
  eventId = (await stage.publish()).id
})

const phone = { id: 'volunteers-phone', name: 'iPhone' }

/** It makes an application that waits on a volunteer's phone, and can arrive by two ways. */
function waiting(changes: Record<string, unknown> = {}) {
  const key = randomUUID()
  const body = applicationBody({ id: newId(), ...changes })
  return {
    key,
    body,
    bySelf: async () => await stage.run('applyAsBeacon', { device: phone, key, params: { eventId }, body }),
    byOrganizer: async (call: { as?: typeof stage.olivia; key?: string; again?: boolean; written?: object } = {}) =>
      await stage.run('handInApplication', {
        as: stage.olivia,
        device: { id: 'organizers-phone', name: 'Pixel' },
        params: { id: eventId },
        body: { key: key.toUpperCase(), deviceId: phone.id, application: { ...body, ...call.written } },
        ...call,
      }),
  }
}

const stored = async () => await stage.db('applications').where({ eventId })
const mails = async () => (await stage.db('mails').where({ eventId }).orderBy('kind')).map(({ kind }) => kind)
const oneSet = ['acknowledgement', 'new-applications']

describe('an application that an organizer hands in', () => {
  it('is the volunteer’s own, whose phone then gets its page, and the organizer does not', async () => {
    const { bySelf, byOrganizer, body } = waiting()
    const first = await byOrganizer()
    expect(first.status).toBe(201)
    expect(first.body).toMatchObject({ id: body['id'], firstName: 'Bea', status: 'pending' })
    const own = await bySelf()
    expect(own.status).toBe(201)
    expect(own.body.id).toBe(first.body.id)
    const page = await stage.run('getOwnApplication', { applicationToken: own.body.token })
    expect(page.body).toMatchObject({ firstName: 'Bea', status: 'pending' })
    expect(first.text).not.toContain(own.body.token)
    expect([await stored(), await mails()]).toMatchObject([[{ id: body['id'] }], oneSet])
  })

  it('is shown as it stands where the volunteer’s phone came first, however often handed in', async () => {
    const { bySelf, byOrganizer } = waiting()
    const own = await bySelf()
    await stage.decide(own.body.id, { status: 'approved', basis: null })
    const key = randomUUID()
    for (const answer of [await byOrganizer({ key }), await byOrganizer({ key }), await byOrganizer()])
      expect([answer.status, answer.body]).toMatchObject([201, { id: own.body.id, status: 'approved' }])
    expect([await stored(), await mails()]).toMatchObject([[{}], ['acknowledgement', 'decision', 'new-applications']])
  })

  it('is one when both phones get through at once, fifty times', async () => {
    await openPool(stage.db)
    for (let round = 0; round < 50; round += 1) {
      const { bySelf, byOrganizer, body } = waiting({ email: `bea.${round}@example.com` })
      const sent = round % 2 === 0 ? [bySelf(), byOrganizer()] : [byOrganizer(), bySelf()]
      const answers = await Promise.all([...sent, byOrganizer()])
      expect(answers.map((answer) => [answer.status, answer.body.id])).toEqual(
        Array.from({ length: 3 }, () => [201, body['id']]),
      )
    }
    expect(await stored()).toHaveLength(50)
    const kinds = await mails()
    expect(kinds.filter((kind) => kind === 'acknowledgement')).toHaveLength(50)
  })

  it('is refused to another organizer, and leaves nothing behind', async () => {
    const { bySelf, byOrganizer, key } = waiting()
    expect((await byOrganizer({ as: stage.otto })).body).toMatchObject({ code: 'not_found' })
    expect([await stored(), await stage.db('idempotency_keys').where({ key })]).toEqual([[], []])
    expect((await bySelf()).status).toBe(201)
  })

  it('with a key of another event’s application is refused', async () => {
    const { bySelf, byOrganizer } = waiting()
    await bySelf()
    eventId = (await stage.publish()).id
    expect((await byOrganizer()).body).toMatchObject({ code: 'key_reused' })
    expect(await stored()).toEqual([])
  })

  it('is refused in words for the organizer, and the volunteer’s phone still hears its own', async () => {
    await stage.applicant(eventId)
    const again = waiting({ lastName: 'Lee' })
    expect((await again.byOrganizer()).body).toMatchObject({
      code: 'duplicate_application',
      message: 'Bea Lee has already applied with this email address.',
    })
    expect((await again.bySelf()).body.message).toMatch('we already have your application')
    const { byOrganizer, key } = waiting({ email: 'other@example.com' })
    await stage.run('cancelMutation', { device: phone, body: { account: null, key } })
    expect((await byOrganizer()).body).toMatchObject({
      code: 'cancelled',
      message: 'Bea Moss has discarded this application.',
    })
  })

  it('that its applicant has deleted since is not made again', async () => {
    const { bySelf, byOrganizer } = waiting()
    const { token } = (await bySelf()).body
    await stage.run('deleteOwnApplication', { body: { token } })
    expect((await byOrganizer()).body).toMatchObject({ message: 'Bea Moss has deleted this application since.' })
    expect(await stored()).toEqual([])
  })

  it('comes back after a restore without mails, also when applications have closed since', async () => {
    const { bySelf, byOrganizer, key } = waiting()
    const organizers = randomUUID()
    await byOrganizer({ key: organizers })
    await stage.db('applications').where({ eventId }).delete()
    await stage.db('used_ids').delete()
    await stage.db('mails').delete()
    await stage.db('idempotency_keys').whereIn('key', [key, organizers]).delete()
    await stage.db('events').where({ id: eventId }).update({ applicationsClosed: true })
    expect((await byOrganizer({ key: organizers, again: true })).status).toBe(201)
    expect((await bySelf()).status).toBe(201)
    expect([await stored(), await mails()]).toMatchObject([[{}], []])
  })
})

it('the opening key of an event is in the organizer’s feed alone, and not at the door', async () => {
  const { sealingKey, openingKey } = (await stage.db('events').where({ id: eventId }).first())!
  const lines = async (scope: string) => (await stage.feed(scope)).map(({ body }) => body ?? '').join('\n')
  expect(await lines(`org:${stage.olivia.userId}`)).toContain(openingKey)
  expect(await lines('public')).toContain(sealingKey)
  expect(await lines('public')).not.toContain(openingKey)
  const own = await stage.publish()
  expect([own, doorEvent(own)].map((event) => event.openingKey)).toEqual([expect.any(String), undefined])
  const listed = await stage.run('listEvents')
  expect([listed.text?.includes(sealingKey), listed.text?.includes(openingKey)]).toEqual([true, false])
})
