import { describe, expect, it } from 'vitest'
import { applyAsBeacon } from '../queue/mutations/apply-as-beacon.ts'
import { decideApplication } from '../queue/mutations/decide-application.ts'
import { deleteEvent } from '../queue/mutations/delete-event.ts'
import { retryMail } from '../queue/mutations/retry-mail.ts'
import { stateOf } from '#shared/record/basis.ts'
import { offerAgain, offerReceiptsAgain, pruneSettled } from './offer-again.ts'
import { answerOf, linesType } from '../testing/model-transport.ts'
import { beaFields, oliviaId } from '../testing/people.ts'
import { approve, olivia, phone } from '../testing/queue-phone.ts'

type Phone = ReturnType<typeof phone>

const hourMs = 3_600_000

/** Sends everything, and the replica has everything the server has. */
async function settleAll({ wake, settleAt, states }: Phone): Promise<void> {
  await wake('online', 20_000)
  await settleAt({ appliedVersion: 1_000, versionOf: () => 1_000 })
  expect(await states()).toEqual([])
}

/** What a phone of Olivia's does when it hears that the server went back, or only of another epoch. */
const offer = ({ store }: Phone, epoch?: string) => offerAgain(store, oliviaId, epoch)

/** A phone whose changes were made, sent and settled; and a server that can go back to before them. */
async function settledPhone(enqueue: (rig: Phone) => Promise<unknown>, prepare: (rig: Phone) => unknown = () => {}) {
  const rig = phone({ autoWake: false })
  prepare(rig)
  const goBack = rig.keepServer()
  await enqueue(rig)
  await settleAll(rig)
  return { ...rig, goBack, sent: rig.server.effects.map(({ key }) => key) }
}

const threeChanges = () =>
  settledPhone(async ({ enqueueEdit, enqueueApproval }) => {
    await enqueueEdit('Two')
    await enqueueEdit('Three')
    await enqueueApproval(7)
  })

const batches = ({ network }: Phone) =>
  network.requests.map(({ body }) => JSON.parse(body) as { entries: { key: string; again?: true }[] })

describe('what was settled before a server went back', () => {
  it('is offered again under its own keys, in its order, and happens once', async () => {
    const rig = await threeChanges()
    const { server, store, states, sent, wake } = rig
    rig.goBack()
    expect(await offer(rig)).toBe(3)
    await wake('stream-opened')
    expect(server.effects.map(({ key }) => key)).toEqual(sent)
    expect(server.read('events', 1)).toMatchObject({ name: 'Three', edition: 3 })
    expect(server.read('applications', 7)).toMatchObject({ status: 'approved' })
    expect(await states()).toEqual(['acknowledged', 'acknowledged', 'acknowledged'])
    const last = batches(rig).at(-1)
    expect(last?.entries.map(({ again }) => again)).toEqual([true, true, true])
    await settleAll(rig)
    expect((await store.settled(oliviaId)).map(({ key }) => key)).toEqual(sent)
  })

  it('of this very epoch is not offered again where only the epoch is asked about', async () => {
    const rig = await threeChanges()
    expect((await rig.store.settled(oliviaId)).map(({ epoch }) => epoch)).toEqual(['1', '1', '1'])
    expect(await offer(rig, '1')).toBe(0)
    expect(await offer(rig, 'another')).toBe(3)
  })

  it('is not what would happen again outside the database, such as a mail sent once more', async () => {
    const { store } = await settledPhone(async ({ outbox, network }) => {
      const { key } = await outbox.enqueue(retryMail, { mailId: 3, eventId: 1, applicationId: 7, name: 'Bea' }, olivia)
      const line = `${JSON.stringify({ key, status: 200, version: 9, body: {} })}\n`
      network.transport = async () => answerOf(200, [line], { type: linesType })
    })
    expect(await store.settled(oliviaId)).toEqual([])
  })

  it('is let go when every backup has it, and stays as long as one may not', async () => {
    const { store, time } = await threeChanges()
    expect(await pruneSettled(store, oliviaId, 168, time.now() + 167 * hourMs)).toBe(0)
    expect(await pruneSettled(store, oliviaId, 168, time.now() + 169 * hourMs)).toBe(3)
    expect(await store.settled(oliviaId)).toEqual([])
  })
})

describe('a change that is offered again too early', () => {
  it('is parked for its person, and is made once the change of another device before it is back', async () => {
    const rig = await settledPhone(({ outbox, decideElsewhere }) => {
      decideElsewhere()
      return outbox.enqueue(decideApplication, { ...approve(7, stateOf('theirs')), from: 'rejected' }, olivia)
    })
    const { server, wake } = rig
    rig.goBack()
    await offer(rig)
    await wake('stream-opened')
    const [parked] = await rig.pending()
    expect(parked).toMatchObject({ again: 'taken', refusal: { problem: { code: 'conflict' } } })
    await rig.outbox.retry(parked!.seq)
    await wake('enqueue', 20_000)
    expect(server.read('applications', 7)).toMatchObject({ status: 'approved', decisionNumber: 1 })
    expect(batches(rig).at(-1)?.entries, 'its mail may have left').toMatchObject([{ again: true }])
  })

  it('is parked where it deletes what another device has not brought back yet', async () => {
    const rig = await settledPhone(({ outbox }) =>
      outbox.enqueue(deleteEvent, { id: 1, name: 'Mixer', basis: null }, olivia),
    )
    rig.goBack()
    rig.takeAway('events/1')
    await offer(rig)
    await rig.wake('stream-opened')
    expect(await rig.states()).toEqual(['parked'])
  })
})

describe("a volunteer's application", () => {
  const apply = ({ outbox }: Phone, id = 100) =>
    outbox.enqueue(applyAsBeacon, { id, eventId: 1, eventName: 'Mixer', fields: beaFields }, { userId: null })
  const offerReceipts = ({ store, server, time }: Phone) =>
    offerReceiptsAgain(store, String(server.epoch), 168, time.now())

  it('is offered again to a server of another epoch, once, with what its answer named', async () => {
    const rig = phone({ autoWake: false })
    const { server, store, wake } = rig
    const goBack = rig.keepServer()
    await apply(rig)
    await wake('online')
    const [receipt] = await store.receipts()
    expect(receipt).toMatchObject({ mutation: 'apply-as-beacon', argsVersion: 1, epoch: String(server.epoch) })
    expect(await offerReceipts(rig)).toBe(0)
    goBack()
    expect(await offerReceipts(rig)).toBe(1)
    expect(await offerReceipts(rig)).toBe(0)
    await wake('stream-opened')
    expect(server.applied.map(({ key }) => key)).toEqual([receipt!.key])
    const [again] = await store.receipts()
    const args = { id: 100, token: 't100' }
    expect(again).toMatchObject({ key: receipt!.key, args, epoch: String(server.epoch) })
  })

  it('is offered ahead of what was made after it', async () => {
    const rig = phone({ autoWake: false })
    const goBack = rig.keepServer()
    await apply(rig)
    await rig.wake('online')
    goBack()
    await apply(rig, 101)
    await offerReceipts(rig)
    expect((await rig.store.entriesOf(null)).map(({ again }) => again)).toEqual(['taken', 'waited'])
  })
})

describe('what was not answered yet when a server went back', () => {
  it('is sent for the first time, and knows of the restore when it is refused', async () => {
    const rig = phone({ autoWake: false })
    await rig.enqueueApproval(7)
    rig.takeAway('applications/7')
    expect(await offer(rig)).toBe(0)
    await rig.wake('stream-opened', 20_000)
    expect(await rig.pending()).toMatchObject([{ state: 'parked', again: 'waited' }])
    expect(batches(rig).flatMap(({ entries }) => entries.map(({ again }) => again))).toEqual([undefined])
  })
})
