import { describe, expect, it } from 'vitest'
import { applyAsBeacon } from '../queue/mutations/apply-as-beacon.ts'
import { createEvent } from '../queue/mutations/create-event.ts'
import { decideApplication } from '../queue/mutations/decide-application.ts'
import { deleteEvent } from '../queue/mutations/delete-event.ts'
import type { Mutation } from '../queue/mutations/mutation.ts'
import { retryMail } from '../queue/mutations/retry-mail.ts'
import { updateEvent } from '../queue/mutations/edit-event.ts'
import { stateOf } from '#shared/record/basis.ts'
import { retryVisitorEntriesAfterRestore, offerAgain, offerReceiptsAgain, pruneSettled } from './offer-again.ts'
import { settle } from './settle.ts'
import { answerOf, linesType } from '../testing/model-transport.ts'
import { beaFields, eventFields, oliviaId } from '../testing/people.ts'
import { approve, noNetwork, olivia, phone } from '../testing/queue-phone.ts'
import type { TransportRequest } from './transport.ts'

type Phone = ReturnType<typeof phone>

/** The replica has everything the server has. */
const settleAll = ({ store, time, server }: Phone) => {
  const view = { epoch: String(server.epoch), appliedVersion: 1_000, versionOf: () => 1_000 }
  return settle({ store, wake: () => {} }, oliviaId, view, time.now())
}

/** Changes that were made, sent and settled; and a server that has gone back to before them. */
async function forgetful() {
  const rig = phone({ autoWake: false })
  const { outbox, replayer, time, server } = rig
  const before = new Map(server.log)
  await outbox.enqueue(updateEvent, { id: 1, fields: { ...eventFields, name: 'Two' }, basis: null }, olivia)
  await outbox.enqueue(updateEvent, { id: 1, fields: { ...eventFields, name: 'Three' }, basis: null }, olivia)
  await outbox.enqueue(decideApplication, approve(7), olivia)
  void replayer.wake('online')
  await time.pass(20_000)
  await settleAll(rig)
  expect(await rig.states()).toEqual([])
  const sent = server.effects.map(({ key }) => key)
  return {
    ...rig,
    sent,
    goBack() {
      server.log.clear()
      for (const [place, row] of before) server.log.set(place, row)
      server.keys.clear()
      server.effects.length = 0
      server.epoch += 1
    },
  }
}

const batches = ({ network }: Phone) =>
  network.requests.map(({ body }) => JSON.parse(body) as { entries: { key: string; again?: string }[] })

describe('what was settled before a server went back', () => {
  it('is offered again under its own keys, in its order, and happens once', async () => {
    const rig = await forgetful()
    const { server, store, replayer, time, states, sent } = rig
    rig.goBack()
    expect(await offerAgain(store, oliviaId, undefined, time.now())).toBe(3)
    void replayer.wake('stream-opened')
    await time.pass(100)
    expect(server.effects.map(({ key }) => key)).toEqual(sent)
    expect(server.read('events', 1)).toMatchObject({ name: 'Three', edition: 3 })
    expect(server.read('applications', 7)).toMatchObject({ status: 'approved' })
    expect(await states()).toEqual(['acknowledged', 'acknowledged', 'acknowledged'])
    expect(
      batches(rig)
        .at(-1)
        ?.entries.map(({ again }) => again),
    ).toEqual(['taken', 'taken', 'taken'])
    await settleAll(rig)
    expect((await store.settled(oliviaId)).map(({ key }) => key)).toEqual(sent)
  })

  it('is answered as before by a server that knows it', async () => {
    const { server, store, replayer, time, sent } = await forgetful()
    await offerAgain(store, oliviaId, undefined, time.now())
    void replayer.wake('stream-opened')
    await time.pass(100)
    expect(server.effects.map(({ key }) => key)).toEqual(sent)
  })

  it('of this very epoch is not offered again where only the epoch is asked about', async () => {
    const { store, time } = await forgetful()
    expect((await store.settled(oliviaId)).map(({ epoch }) => epoch)).toEqual(['1', '1', '1'])
    expect(await offerAgain(store, oliviaId, '1', time.now())).toBe(0)
    expect(await offerAgain(store, oliviaId, 'another', time.now())).toBe(3)
  })

  it('stands before what waits in the queue since, and what waits behind it goes too', async () => {
    const rig = await forgetful()
    const { server, store, outbox, network, replayer, time, sent } = rig
    network.transport = noNetwork
    await outbox.enqueue(updateEvent, { id: 1, fields: { ...eventFields, name: 'Four' }, basis: sent[1]! }, olivia)
    rig.goBack()
    await offerAgain(store, oliviaId, undefined, time.now())
    network.transport = undefined
    void replayer.wake('stream-opened')
    await time.pass(100)
    expect(server.read('events', 1)).toMatchObject({ name: 'Four', edition: 4 })
  })

  it('takes along what was acknowledged and not settled yet', async () => {
    const rig = await forgetful()
    const { server, store, outbox, replayer, time, sent } = rig
    await outbox.enqueue(updateEvent, { id: 1, fields: { ...eventFields, name: 'Four' }, basis: sent[1]! }, olivia)
    void replayer.wake('online')
    await time.pass(100)
    rig.goBack()
    expect(await offerAgain(store, oliviaId, undefined, time.now())).toBe(4)
    void replayer.wake('stream-opened')
    await time.pass(100)
    expect(server.read('events', 1)).toMatchObject({ name: 'Four' })
  })

  it('is not what would happen again outside the database, such as a mail that was sent once more', async () => {
    const rig = phone({ autoWake: false })
    const { store, outbox, network, replayer, time, states } = rig
    await outbox.enqueue(retryMail, { mailId: 3, eventId: 1, applicationId: 7, name: 'Bea' }, olivia)
    network.transport = (request) => {
      const { entries } = JSON.parse(request.body) as { entries: { key: string }[] }
      return Promise.resolve(
        answerOf(
          200,
          entries.map(
            ({ key }) => `${JSON.stringify({ key, status: 200, version: 9, body: {} })}
`,
          ),
          { type: linesType },
        ),
      )
    }
    void replayer.wake('online')
    await time.pass(100)
    await settleAll(rig)
    expect(await states()).toEqual([])
    expect(await store.settled(oliviaId)).toEqual([])
  })

  it('is let go when every backup has it, and stays as long as one may not', async () => {
    const { store, time } = await forgetful()
    const hour = 3_600_000
    expect(await pruneSettled(store, oliviaId, 168, time.now() + 167 * hour)).toBe(0)
    expect(await pruneSettled(store, oliviaId, 168, time.now() + 169 * hour)).toBe(3)
    expect(await store.settled(oliviaId)).toEqual([])
  })
})

describe('a change that is offered again too early', () => {
  it('waits for what it is about, which another device brings', async () => {
    const rig = await forgetful()
    const { server, store, replayer, time, states } = rig
    rig.goBack()
    const application = server.log.get('applications/7')!
    server.log.delete('applications/7')
    await offerAgain(store, oliviaId, undefined, time.now())
    void replayer.wake('stream-opened')
    await time.pass(3_600_000)
    expect(await states()).toContain('queued')
    expect(await states()).not.toContain('parked')
    server.log.set('applications/7', application)
    await time.pass(310_000)
    expect(server.read('applications', 7)).toMatchObject({ status: 'approved' })
  })

  it('asks a person when nobody brings it for a day', async () => {
    const rig = await forgetful()
    const { server, store, replayer, time, outbox, states } = rig
    rig.goBack()
    server.log.delete('applications/7')
    await offerAgain(store, oliviaId, undefined, time.now())
    void replayer.wake('stream-opened')
    await time.pass(600_000)
    time.sleep(23 * 3_600_000)
    await time.pass(310_000)
    expect(await states()).not.toContain('parked')
    time.sleep(3_600_000)
    await time.pass(310_000)
    const parked = (await outbox.pendingFor(oliviaId)).filter(({ state }) => state === 'parked')
    expect(parked.map(({ refusal }) => refusal?.problem.code)).toEqual(['not_found'])
  })

  describe('as a deletion', () => {
    async function deleted() {
      const rig = phone({ autoWake: false })
      const { server, store, outbox, replayer, time } = rig
      const event = server.log.get('events/1')!
      await outbox.enqueue(deleteEvent, { id: 1, name: 'Founders Mixer', basis: null }, olivia)
      void replayer.wake('online')
      await time.pass(20_000)
      await settleAll(rig)
      server.keys.clear()
      server.log.delete('events/1')
      expect(await offerAgain(store, oliviaId, undefined, time.now())).toBe(1)
      void replayer.wake('stream-opened')
      return { ...rig, event }
    }

    it('deletes the event that another device brings after it', async () => {
      const { server, time, states, event } = await deleted()
      await time.pass(3_600_000)
      expect(await states()).toEqual(['queued'])
      server.log.set('events/1', event)
      await time.pass(310_000)
      expect(await states()).toEqual(['acknowledged'])
      expect(server.read('events', 1)).toBeUndefined()
    })

    it('is done when nobody brings the event for a day', async () => {
      const { time, states } = await deleted()
      time.sleep(23 * 3_600_000)
      await time.pass(310_000)
      expect(await states()).toEqual(['queued'])
      time.sleep(2 * 3_600_000)
      await time.pass(310_000)
      expect(await states()).toEqual(['acknowledged'])
    })
  })

  it('waits for the change of another device before it, and asks a person when that does not come for a day', async () => {
    const rig = phone({ autoWake: false })
    const { server, store, outbox, replayer, time } = rig
    const before = new Map(server.log)
    server.write('applications', 7, { eventId: 1, status: 'rejected', basis: stateOf('theirs'), decisionNumber: 1 })
    await outbox.enqueue(decideApplication, { ...approve(7, stateOf('theirs')), from: 'rejected' }, olivia)
    void replayer.wake('online')
    await time.pass(20_000)
    await settleAll(rig)
    const goBack = () => {
      server.log.clear()
      for (const [place, row] of before) server.log.set(place, row)
      server.keys.clear()
    }
    goBack()
    await offerAgain(store, oliviaId, undefined, time.now())
    void replayer.wake('stream-opened')
    await time.pass(23 * 3_600_000)
    expect(server.read('applications', 7)).toMatchObject({ status: 'pending', decisionNumber: 0 })
    expect(await rig.states()).toEqual(['queued'])
    await time.pass(2 * 3_600_000)
    const [parked] = await outbox.pendingFor(oliviaId)
    expect(parked?.refusal?.problem).toMatchObject({ code: 'unknown_basis', current: { status: 'pending' } })
    await outbox.retry(parked!.seq)
    void replayer.wake('enqueue')
    await time.pass(20_000)
    expect(server.read('applications', 7)).toMatchObject({ status: 'approved', decisionNumber: 1 })
  })

  describe('and is refused while a copy of its request is still on its way', () => {
    /** A decision offered again and refused; `arrive` delivers the copy. */
    async function refusedWithCopy() {
      const rig = await forgetful()
      const { server, store, replayer, time, outbox, network, direct } = rig
      rig.goBack()
      let copy: TransportRequest | undefined
      network.transport = async (request) => {
        copy ??= request
        return await direct(request)
      }
      await offerAgain(store, oliviaId, undefined, time.now())
      server.newRefusal = { status: 409, code: 'hall_is_full' }
      void replayer.wake('stream-opened')
      await time.pass(1_000)
      server.newRefusal = undefined
      const refused = await outbox.pendingFor(oliviaId)
      const decision = refused.find(({ mutation }) => mutation === decideApplication.name)!
      expect(decision.state).toBe('parked')
      const effects = () => server.effects.filter(({ lane }) => lane === decision.lane)
      return { ...rig, decision, effects, arrive: () => direct({ ...copy!, signal: new AbortController().signal }) }
    }

    it('never happens once it is given up', async () => {
      const { outbox, decision, effects, arrive } = await refusedWithCopy()
      expect(await outbox.discard(decision.seq)).toBe('cancelled')
      await arrive()
      expect(effects()).toEqual([])
    })

    it('happens once when it is tried again', async () => {
      const { outbox, replayer, time, decision, effects, arrive } = await refusedWithCopy()
      await outbox.retry(decision.seq)
      await arrive()
      void replayer.wake('enqueue')
      await time.pass(20_000)
      expect(effects().map(({ key }) => key)).toEqual([decision.key])
      expect(await outbox.pendingFor(oliviaId)).toContainEqual(
        expect.objectContaining({ key: decision.key, state: 'acknowledged' }),
      )
    })

    it('happens once when it was given up, put back and tried again', async () => {
      const { outbox, replayer, time, decision, effects, arrive } = await refusedWithCopy()
      await outbox.discard(decision.seq)
      await outbox.putBack(decision)
      const put = (await outbox.pendingFor(oliviaId)).find(({ lane }) => lane === decision.lane)
      await outbox.retry(put!.seq)
      await arrive()
      void replayer.wake('enqueue')
      await time.pass(20_000)
      expect(effects()).toHaveLength(1)
      expect(effects()[0]!.key).not.toBe(decision.key)
    })
  })

  it('is a conflict like any other when somebody has decided since', async () => {
    const rig = await forgetful()
    const { server, store, replayer, time, outbox } = rig
    rig.goBack()
    server.write('applications', 7, { eventId: 1, status: 'rejected', basis: stateOf('theirs'), decisionNumber: 1 })
    await offerAgain(store, oliviaId, undefined, time.now())
    void replayer.wake('stream-opened')
    await time.pass(1_000)
    const parked = (await outbox.pendingFor(oliviaId)).filter(({ state }) => state === 'parked')
    expect(parked.map(({ refusal }) => refusal?.problem.code)).toEqual(['conflict'])
  })
})

describe("a volunteer's application", () => {
  it('is offered again to a server of another epoch, once, with what its answer named', async () => {
    const { server, store, outbox, replayer, time } = phone({ autoWake: false })
    await outbox.enqueue(
      applyAsBeacon,
      { id: 100, eventId: 1, eventName: 'Founders Mixer', fields: beaFields },
      { userId: null },
    )
    void replayer.wake('online')
    await time.pass(100)
    const [receipt] = await store.receipts()
    expect(receipt).toMatchObject({ mutation: 'apply-as-beacon', argsVersion: 1, epoch: String(server.epoch) })
    expect(await offerReceiptsAgain(store, String(server.epoch), 168, time.now(), time.now())).toBe(0)
    server.keys.clear()
    server.applied.length = 0
    server.epoch += 1
    expect(await offerReceiptsAgain(store, String(server.epoch), 168, time.now(), time.now())).toBe(1)
    expect(await offerReceiptsAgain(store, String(server.epoch), 168, time.now(), time.now())).toBe(0)
    void replayer.wake('stream-opened')
    await time.pass(100)
    expect(server.applied.map(({ key }) => key)).toEqual([receipt!.key])
    const [again] = await store.receipts()
    expect(again).toMatchObject({
      key: receipt!.key,
      args: { id: 100, token: 't100' },
      epoch: String(server.epoch),
    })
  })

  describe('that was queued for an event which the server has lost', () => {
    const lost = () => {
      const rig = phone({ autoWake: false })
      const event = rig.server.log.get('events/1')!
      rig.server.log.delete('events/1')
      return { ...rig, bringBack: () => rig.server.log.set('events/1', event) }
    }
    const apply = ({ outbox }: Phone) =>
      outbox.enqueue(applyAsBeacon, { id: 101, eventId: 1, eventName: 'Mixer', fields: beaFields }, { userId: null })

    it('waits until another device brings the event back', async () => {
      const rig = lost()
      const { server, store, replayer, time, states } = rig
      const { key } = await apply(rig)
      expect(await retryVisitorEntriesAfterRestore(store, time.now())).toBe(0)
      void replayer.wake('online')
      await time.pass(3_600_000)
      expect(await states(null)).toEqual(['queued'])
      rig.bringBack()
      await time.pass(310_000)
      expect(await states(null)).toEqual([])
      expect(server.applied.map((one) => one.key)).toEqual([key])
    })

    it('is tried anew when it was refused before the phone knew, once', async () => {
      const rig = lost()
      const { server, store, replayer, time, states } = rig
      await apply(rig)
      void replayer.wake('online')
      await time.pass(100)
      expect(await states(null)).toEqual(['parked'])
      expect(await retryVisitorEntriesAfterRestore(store, time.now())).toBe(1)
      expect(await retryVisitorEntriesAfterRestore(store, time.now())).toBe(0)
      rig.bringBack()
      void replayer.wake('stream-opened')
      await time.pass(310_000)
      expect(await states(null)).toEqual([])
      expect(server.applied).toHaveLength(1)
    })
  })

  it('waits behind one that was refused since, and goes when that is given up', async () => {
    const { server, store, outbox, replayer, time, states } = phone({ autoWake: false })
    const args = { eventId: 1, eventName: 'Mixer', fields: { ...beaFields, email: 'bo@example.com' } }
    for (const id of [101, 102]) {
      await outbox.enqueue(applyAsBeacon, { id, ...args }, { userId: null })
      void replayer.wake('online')
      await time.pass(100)
    }
    expect(await states(null)).toEqual(['parked'])
    server.keys.clear()
    server.applied.length = 0
    server.epoch += 1
    expect(await offerReceiptsAgain(store, String(server.epoch), 168, time.now(), time.now())).toBe(1)
    expect(await states(null)).toEqual(['parked', 'blocked'])
    await outbox.discard((await outbox.pendingFor(null))[0]!.seq)
    void replayer.wake('enqueue')
    await time.pass(100)
    expect(await states(null)).toEqual([])
    expect(server.applied).toHaveLength(1)
  })
})

it('an event that was made, changed and deleted comes to the same end again', async () => {
  const rig = phone({ autoWake: false })
  const { server, store, outbox, replayer, time } = rig
  const before = new Map(server.log)
  const made = {
    id: 50,
    organizerId: oliviaId,
    fields: eventFields,
    timeZone: 'America/Chicago',
    createdAt: '2026-11-20T10:00:00Z',
  }
  await outbox.enqueue(createEvent, made, olivia)
  await outbox.enqueue(updateEvent, { id: 50, fields: { ...eventFields, name: 'Two' }, basis: null }, olivia)
  await outbox.enqueue(deleteEvent, { id: 1, name: 'Founders Mixer', basis: null }, olivia)
  void replayer.wake('online')
  await time.pass(100)
  await settleAll(rig)
  server.log.clear()
  for (const [place, row] of before) server.log.set(place, row)
  server.keys.clear()
  expect(await offerAgain(store, oliviaId, undefined, time.now())).toBe(3)
  void replayer.wake('stream-opened')
  await time.pass(1_000)
  expect(server.read('events', 50)).toMatchObject({ name: 'Two', edition: 2 })
  expect(server.read('events', 1)).toBeUndefined()
})

describe('what was not answered yet when a server went back', () => {
  /** A phone with a change of a server that has lost what it is about; `bring` has another device bring it back. */
  async function queued<A>(mutation: Mutation<A>, args: A, place: string) {
    const rig = phone({ autoWake: false })
    const { server, outbox } = rig
    const lost = server.log.get(place)!
    await outbox.enqueue(mutation, args, olivia)
    server.log.delete(place)
    return { ...rig, bring: () => server.log.set(place, lost) }
  }

  it('waits as patiently as what is offered again', async () => {
    const rig = await queued(decideApplication, approve(7), 'applications/7')
    const { server, store, replayer, time, states } = rig
    expect(await offerAgain(store, oliviaId, undefined, time.now())).toBe(0)
    void replayer.wake('stream-opened')
    await time.pass(600_000)
    expect(await states()).toEqual(['queued'])
    const sent = batches(rig).flatMap(({ entries }) => entries.map(({ again }) => again))
    expect(sent.slice(0, 2)).toEqual(['new', 'new'])
    rig.bring()
    await time.pass(310_000)
    expect(server.read('applications', 7)).toMatchObject({ status: 'approved' })
    expect(await states()).toEqual(['acknowledged'])
  })

  it('deletes the event that another device brings after it', async () => {
    const rig = await queued(deleteEvent, { id: 1, name: 'Founders Mixer', basis: null }, 'events/1')
    const { server, store, replayer, time, states } = rig
    await offerAgain(store, oliviaId, undefined, time.now())
    void replayer.wake('stream-opened')
    await time.pass(60_000)
    expect(await states()).toEqual(['queued'])
    rig.bring()
    await time.pass(310_000)
    expect(server.read('events', 1)).toBeUndefined()
    expect(await states()).toEqual(['acknowledged'])
  })

  it('is tried again where it was refused before the phone knew', async () => {
    const rig = await queued(decideApplication, approve(7), 'applications/7')
    const { server, store, replayer, time, states } = rig
    void replayer.wake('online')
    await time.pass(20_000)
    expect(await states()).toEqual(['parked'])
    expect(await offerAgain(store, oliviaId, undefined, time.now())).toBe(1)
    rig.bring()
    void replayer.wake('stream-opened')
    await time.pass(100)
    expect(server.read('applications', 7)).toMatchObject({ status: 'approved' })
    expect(await states()).toEqual(['acknowledged'])
  })

  it('stays refused for any other reason', async () => {
    const rig = phone({ autoWake: false })
    const { server, store, outbox, replayer, time, states } = rig
    await outbox.enqueue(decideApplication, approve(7), olivia)
    server.write('applications', 7, { eventId: 1, status: 'rejected', basis: stateOf('theirs'), decisionNumber: 1 })
    void replayer.wake('online')
    await time.pass(20_000)
    expect(await states()).toEqual(['parked'])
    expect(await offerAgain(store, oliviaId, undefined, time.now()), 'tried once more').toBe(1)
    void replayer.wake('stream-opened')
    await time.pass(1_000)
    expect(await states()).toEqual(['parked'])
    expect(await offerAgain(store, oliviaId, undefined, time.now())).toBe(0)
  })

  it('comes after the decision it was made on, though the server looks as wished without that one', async () => {
    const rig = phone({ autoWake: false })
    const { server, store, outbox, replayer, time, states } = rig
    server.write('applications', 7, { eventId: 1, status: 'approved', basis: stateOf('theirs'), decisionNumber: 1 })
    const before = new Map(server.log)
    await outbox.enqueue(
      decideApplication,
      { ...approve(7, stateOf('theirs')), status: 'rejected', from: 'approved' },
      olivia,
    )
    void replayer.wake('online')
    await time.pass(20_000)
    await settleAll(rig)
    server.log.clear()
    for (const [place, row] of before) server.log.set(place, row)
    server.keys.clear()
    server.keys.set('user:1|theirs', {
      hash: '',
      status: 200,
      body: undefined,
      version: 1,
      leftState: stateOf('theirs'),
    })
    const [{ key } = { key: '' }] = await store.settled(oliviaId)
    await outbox.enqueue(decideApplication, { ...approve(7, key), from: 'rejected' }, olivia)
    expect(await offerAgain(store, oliviaId, undefined, time.now())).toBe(1)
    void replayer.wake('stream-opened')
    await time.pass(310_000)
    expect(server.read('applications', 7)).toMatchObject({ status: 'approved', decisionNumber: 3 })
    expect(await states()).toEqual(['acknowledged', 'acknowledged'])
  })
})
