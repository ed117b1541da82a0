import { describe, expect, it } from 'vitest'
import { addSession } from '../testing/account-rows.ts'
import { setOrganizerStage } from '../testing/organizer-stage.ts'
import { eventBody, type Person } from '../testing/route-rig.ts'

const stage = setOrganizerStage()
const phone = { id: 'phone-1', name: 'Phone' }
const tablet = { id: 'tablet-1', name: 'Tablet' }
const dayMs = 86_400_000

interface Leased {
  readonly ids: number[]
  readonly proofs: string[]
}

async function lease(as: Person, device: typeof phone | null, body: Record<string, unknown>): Promise<Leased> {
  const answer = await stage.run('leaseEventIds', { as, device, body })
  expect(answer.status, answer.text ?? '').toBe(200)
  return answer.body as Leased
}

const create = async (as: Person, changes: Record<string, unknown>, device = phone) =>
  await stage.run('createEvent', { as, device, body: eventBody(changes) })

const unusedOf = async (person: Person) =>
  await stage.db('event_id_leases').where({ userId: person.userId }).whereNull('usedAt')

/** As if the device had a session that has not ended. */
const openSession = async (person: Person, deviceId: string) =>
  await addSession(stage.db, person.userId, { deviceId, endsAt: new Date(Date.now() + 400 * dayMs) })

/** What a snapshot of the database brings back: nothing of the leases since, and the sequence where it was. */
async function bringBack(from: { last: number }): Promise<void> {
  await stage.db('event_id_leases').where('eventId', '>', from.last).del()
  await stage.db('events').where('id', '>', from.last).del()
  await stage.db.raw(`select setval('events_id_seq', ?)`, [from.last])
}

const lastNumber = async () => {
  const { rows } = await stage.db.raw<{ rows: { last: number }[] }>('select last_value::int as last from events_id_seq')
  return { last: rows[0]!.last }
}

describe('event numbers of a phone', () => {
  it('come back to it when it signs in again, instead of ten new ones each time', async () => {
    const first = await lease(stage.olivia, phone, { count: 30, besides: [] })
    expect(new Set(first.ids).size).toBe(30)
    const again = await lease(stage.olivia, phone, { count: 30, besides: [] })
    expect(again.ids).toEqual(first.ids)
    expect(again.proofs).toEqual(first.proofs)
    expect(await unusedOf(stage.olivia)).toHaveLength(30)
  })

  it('are topped up for those that are used, and for those that wait in its queue', async () => {
    await stage.addSubscription(stage.olivia, 3)
    const { ids } = await lease(stage.olivia, phone, { count: 30, besides: [] })
    await create(stage.olivia, { id: ids[0] })
    const waiting = ids.slice(1, 4)
    const again = await lease(stage.olivia, phone, { count: 30, besides: waiting })
    expect(again.ids).toHaveLength(30)
    expect(again.ids).toEqual(expect.arrayContaining(ids.slice(4)))
    for (const id of [ids[0], ...waiting]) expect(again.ids).not.toContain(id)
    expect(await unusedOf(stage.olivia)).toHaveLength(33)
  })

  it('are not those of another device or person', async () => {
    const mine = await lease(stage.olivia, phone, { count: 30, besides: [] })
    const tablets = await lease(stage.olivia, tablet, { count: 30, besides: [] })
    const his = await lease(stage.otto, phone, { count: 30, besides: [] })
    expect(new Set([...mine.ids, ...tablets.ids, ...his.ids]).size).toBe(90)
  })

  it('are new ones for an app that does not say what it holds, and for a caller that names no device', async () => {
    const old = await lease(stage.olivia, phone, { count: 10 })
    const older = await lease(stage.olivia, phone, { count: 10 })
    const nameless = await lease(stage.olivia, null, { count: 10, besides: [] })
    const another = await lease(stage.olivia, null, { count: 10, besides: [] })
    expect(new Set([old, older, nameless, another].flatMap(({ ids }) => ids)).size).toBe(40)
  })

  it('pass to another device of the account once theirs is signed out and was not heard of for a month', async () => {
    const lost = await lease(stage.olivia, phone, { count: 30, besides: [] })
    const away = await lease(stage.olivia, { id: 'away', name: 'Away' }, { count: 30, besides: [] })
    await openSession(stage.olivia, 'away')
    stage.clock.now = new Date(Date.now() + 20 * dayMs)
    expect((await lease(stage.olivia, tablet, { count: 5, besides: [] })).ids).not.toEqual(
      expect.arrayContaining([lost.ids[0]]),
    )
    stage.clock.now = new Date(Date.now() + 40 * dayMs)
    const later = await lease(stage.olivia, { id: 'new', name: 'New' }, { count: 30, besides: [] })
    expect(later.ids).toEqual(lost.ids)
    const signedIn = await stage.db('event_id_leases').whereIn('eventId', away.ids).where({ deviceId: 'away' })
    expect(signedIn, 'a device that is signed in keeps its own').toHaveLength(30)
  })

  it('never run out for an organizer, and never run away with the numbers either', async () => {
    const before = await lastNumber()
    for (let count = 0; count < 40; count += 1) {
      const { ids } = await lease(stage.olivia, { id: `browser-${count}`, name: '' }, { count: 30, besides: [] })
      expect(new Set(ids).size).toBe(30)
    }
    expect((await lastNumber()).last - before.last).toBeLessThanOrEqual(600)
    const held = (await unusedOf(stage.olivia)).map((row) => row.eventId)
    const besides = held.slice(0, 500)
    for (let count = 0; count < 5; count += 1) {
      const { ids } = await lease(stage.olivia, { id: 'greedy', name: '' }, { count: 30, besides })
      expect(ids.filter((id) => besides.includes(id))).toEqual([])
    }
    expect((await lastNumber()).last - before.last, 'naming numbers as held does not bring more').toBeLessThanOrEqual(
      600,
    )
  })

  it('are asked for in reasonable amounts only', async () => {
    const ask = async (body: Record<string, unknown>) =>
      (await stage.run('leaseEventIds', { as: stage.olivia, device: phone, body })).status
    expect(await ask({ count: 41, besides: [] })).toBe(400)
    expect(await ask({ count: 1, besides: Array.from({ length: 501 }, (_, index) => index + 1) })).toBe(400)
    expect(await ask({ count: 1, besides: [3_000_000_000] })).toBe(400)
    const answer = await create(stage.olivia, { id: 3_000_000_000 })
    expect([answer.status, Object.keys(answer.body.fields ?? {})]).toEqual([400, ['id']])
  })
})

describe('an event number the database has forgotten', () => {
  it('is accepted with the proof that came with it, and nobody is given it afterwards', async () => {
    await stage.addSubscription(stage.olivia, 3)
    await stage.addSubscription(stage.otto, 3)
    const snapshot = await lastNumber()
    const { ids, proofs } = await lease(stage.olivia, phone, { count: 30, besides: [] })
    await bringBack(snapshot)
    const created = await create(stage.olivia, { id: ids[9], lease: proofs[9] })
    expect([created.status, created.body.id]).toEqual([201, ids[9]])
    const his = await lease(stage.otto, phone, { count: 30, besides: [] })
    expect(his.ids).not.toContain(ids[9])
    const online = await create(stage.otto, {}, tablet)
    expect(online.status).toBe(201)
    expect([...his.ids, ids[9]]).not.toContain(online.body.id)
  })

  it('is refused without proof, with a made-up one, with the proof of another number and with that of another account', async () => {
    for (const person of [stage.olivia, stage.otto]) await stage.addSubscription(person, 3)
    const snapshot = await lastNumber()
    const { ids, proofs } = await lease(stage.olivia, phone, { count: 2, besides: [] })
    await bringBack(snapshot)
    const attempts: [Person, string | undefined][] = [
      [stage.olivia, undefined],
      [stage.olivia, 'A'.repeat(proofs[0]!.length)],
      [stage.olivia, 'short'],
      [stage.olivia, proofs[1]],
      [stage.otto, proofs[0]],
    ]
    for (const [person, proof] of attempts) {
      const answer = await create(person, { id: ids[0], ...(proof === undefined ? {} : { lease: proof }) })
      expect(answer.status).toBe(400)
      expect(answer.body.fields).toEqual({ id: 'This event number was not given to this account' })
    }
    expect((await lastNumber()).last, 'numbers cannot be used up by claiming high ones').toBeLessThan(ids[0]!)
  })

  it('is answered as taken when it became somebody else’s event meanwhile, so that the app takes another', async () => {
    for (const person of [stage.olivia, stage.otto]) await stage.addSubscription(person, 3)
    const snapshot = await lastNumber()
    const { ids, proofs } = await lease(stage.olivia, phone, { count: 2, besides: [] })
    await bringBack(snapshot)
    const online = await create(stage.otto, {}, tablet)
    expect(online.body.id).toBe(ids[0])
    const answer = await create(stage.olivia, { id: ids[0], lease: proofs[0] })
    expect([answer.status, answer.body.code]).toEqual([409, 'already_exists'])
    expect(answer.text).not.toContain('Harbor Mixer')
  })

  it('belongs to whoever creates first when it was leased to another account meanwhile', async () => {
    for (const person of [stage.olivia, stage.otto]) await stage.addSubscription(person, 3)
    const snapshot = await lastNumber()
    const hers = await lease(stage.olivia, phone, { count: 1, besides: [] })
    await bringBack(snapshot)
    const his = await lease(stage.otto, phone, { count: 1, besides: [] })
    expect(his.ids).toEqual(hers.ids)
    expect((await create(stage.olivia, { id: hers.ids[0], lease: hers.proofs[0] })).status).toBe(201)
    const late = await create(stage.otto, { id: his.ids[0], lease: his.proofs[0] })
    expect([late.status, late.body.code]).toEqual([409, 'already_exists'])
  })

  it('is not used twice with the same proof', async () => {
    await stage.addSubscription(stage.olivia, 3)
    const { ids, proofs } = await lease(stage.olivia, phone, { count: 1, besides: [] })
    expect((await create(stage.olivia, { id: ids[0], lease: proofs[0] })).status).toBe(201)
    await stage.run('deleteEvent', { as: stage.olivia, params: { id: ids[0]! } })
    const again = await create(stage.olivia, { id: ids[0], lease: proofs[0] })
    expect([again.status, again.body.code]).toEqual([409, 'already_exists'])
  })
})

describe('an event that is created again under its number', () => {
  it('is answered as it is when nothing was changed since: it is the same one, and the plan pays once', async () => {
    await stage.addSubscription(stage.olivia, 2)
    const { ids } = await lease(stage.olivia, phone, { count: 1, besides: [] })
    const first = await create(stage.olivia, { id: ids[0], customQuestions: ['Why?'] })
    const again = await create(stage.olivia, { id: ids[0], customQuestions: ['Why?'] })
    expect([again.status, again.body]).toEqual([201, first.body])
    const subscription = await stage.run('getSubscription', { as: stage.olivia })
    expect(subscription.body.subscription?.eventsUsed).toBe(1)
  })

  it('is refused as taken when it is another event', async () => {
    await stage.addSubscription(stage.olivia, 3)
    const { ids, proofs } = await lease(stage.olivia, phone, { count: 1, besides: [] })
    await create(stage.olivia, { id: ids[0] })
    for (const proof of [undefined, proofs[0]]) {
      const other = { id: ids[0], name: 'Another one', ...(proof === undefined ? {} : { lease: proof }) }
      const answer = await create(stage.olivia, other, tablet)
      expect([answer.status, answer.body.code]).toEqual([409, 'already_exists'])
    }
  })
})
