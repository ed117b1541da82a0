import 'fake-indexeddb/auto'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Decision } from '#shared/applications/decide.ts'
import { startFaultProxy, type FaultProxy } from '../../../sync-server/testing/fault-proxy.ts'
import { startMailingServer, type MailingServer } from '../../../sync-server/testing/mail/mailing-server.ts'
import { readMail } from '../../../sync-server/testing/mail/smtp-service.ts'
import { endLeases, wakeWorkers } from '../../../sync-server/testing/jobs/queued-jobs.ts'
import { decideApplication } from '../queue/mutations/decide-application.ts'
import { drained } from './chaos/drain.ts'
import { openNetwork, type PhoneNetwork } from './chaos/network.ts'
import { openPhone, type Phone } from './chaos/phone.ts'
import { signIn } from './chaos/sign-in.ts'
import { beaFields } from './people.ts'
import { deliverMails } from './restored/restored-scene.ts'
import { seededRandom } from './simulation/sim-world.ts'

const applicants = 20
const seed = 7

let mailing: MailingServer
let proxy: FaultProxy
let network: PhoneNetwork
let phone: Phone
let tablet: Phone
let eventId: number
let ids: number[]

beforeAll(async () => {
  mailing = await startMailingServer({ TRUST_PROXY: '1' })
  proxy = await startFaultProxy({ target: mailing.server.origin, random: seededRandom(seed), probability: 0.35 })
  network = openNetwork(proxy.origin)
  phone = await open("Olivia's phone")
  tablet = await open("Olivia's tablet")
  eventId = (await mailing.database.db('events').where({ organizerId: phone.userId! }).orderBy('id').first('id'))!.id
  ids = await addApplicants()
}, 120_000)
afterAll(async () => {
  phone.close()
  tablet.close()
  network.end()
  await proxy.close()
  await mailing.close()
})

async function open(name: string): Promise<Phone> {
  const { userId, deviceId, cookie } = await signIn(mailing.server.origin, name)
  const random = seededRandom(seed + name.length)
  return await openPhone({ name, userId, deviceId, cookie, address: '10.0.0.1', network, random })
}

async function addApplicants(): Promise<number[]> {
  const { customAnswers: _, ...fields } = beaFields
  const applied = Array.from({ length: applicants }, (_, index) => ({
    ...fields,
    eventId,
    email: `ben-${index}@example.com`,
    termsAcceptedAt: new Date(),
    termsVersion: '1',
    statusTokenHash: randomUUID(),
    createdAt: new Date(),
  }))
  const rows = await mailing.database.db('applications').insert(applied).returning('id')
  return rows.map(({ id }) => id)
}

const applicant = (index: number) => ids[index]!

/** On this device, on what it knows: answers the place in its queue. */
async function decide(device: Phone, index: number, status: Decision, basis: string | null): Promise<number> {
  const about = { applicationId: applicant(index), eventId, name: 'Bea Brook' }
  const decision = { ...about, status, from: 'pending', basis } as const
  return (await device.outbox.enqueue(decideApplication, decision, { userId: device.userId })).seq
}

/** Starts another server after one was killed, as if a minute had passed for what that one held. */
async function restart(): Promise<void> {
  await endLeases(mailing.database.db)
  await mailing.server.start()
}

/** Both devices go online, meet a bad network, and the server dies under their changes. */
async function sendAll(kills: number): Promise<void> {
  phone.isOnline = true
  tablet.isOnline = true
  for (let kill = 0; kill < kills; kill += 1) {
    await new Promise<void>((resolve) => proxy.atNextChange(resolve))
    await mailing.server.kill()
    await restart()
  }
  proxy.calm()
  const broken: string[] = []
  await drained([phone, tablet], broken)
  // Who lost a race is shown a conflict and gives in.
  for (const device of [phone, tablet]) {
    for (let rest = await openEntries(device); rest.length > 0; rest = await openEntries(device)) {
      for (const { seq, state } of rest) if (state === 'parked') await device.outbox.discard(seq)
      await drained([device], broken)
    }
  }
  expect(broken).toEqual([])
}

const openEntries = async (device: Phone) =>
  (await device.store.entriesOf(device.userId)).filter(({ state }) => state === 'parked' || state === 'blocked')

/** Ends the holds, with the server dying under deliveries that have begun. */
async function endHolds(kills: number): Promise<void> {
  for (let kill = 0; kill < kills; kill += 1) {
    const stall = mailing.service.stallAt(kill % 2 === 0 ? 'rcpt' : 'mail')
    const due = await mailing.database.db('jobs').where({ kind: 'send-mail', state: 'waiting' }).orderBy('id').limit(5)
    expect(due.length).toBeGreaterThan(0)
    const ids = due.map(({ id }) => id)
    await mailing.database
      .db('jobs')
      .whereIn('id', ids)
      .update({ runAt: new Date(0) })
    await wakeWorkers(mailing.database.db)
    await stall.reached
    await mailing.server.kill()
    stall.release()
    await restart()
  }
  await deliverMails(mailing)
}

function newsIn(subject: string): string {
  if (subject.endsWith('withdrawn')) return 'revoked'
  return subject.startsWith('Your application') ? 'rejected' : 'approved'
}

/** What arrived at each applicant, in its order. */
const arrived = () =>
  ids.map((_, index) =>
    mailing.service.received
      .filter(({ to }) => to[0] === `ben-${index}@example.com`)
      .map((mail) => readMail(mail).headers['subject'] ?? '')
      .map(newsIn),
  )
const decided = async () =>
  await mailing.database
    .db('applications')
    .whereIn('id', ids)
    .orderBy('id')
    .select('id', 'status', 'basis', 'decisionNumber')

it('20 decisions made offline on two phones, some undone, some changed, with kills: one mail for each final decision', async () => {
  phone.isOnline = false
  tablet.isOnline = false
  for (let index = 0; index < applicants; index += 1) {
    const seq = await decide(phone, index, index % 3 === 0 ? 'rejected' : 'approved', null)
    // Thought better of at once.
    if (index >= 17) await phone.outbox.undo(seq)
  }
  // The same as the phone, the other way round, and one the phone has taken back.
  for (const index of [0, 1, 2]) await decide(tablet, index, index % 3 === 0 ? 'rejected' : 'approved', null)
  for (const index of [4, 5, 6]) await decide(tablet, index, index % 3 === 0 ? 'approved' : 'rejected', null)
  await decide(tablet, 17, 'approved', null)
  // Changed on the phone before anything was sent.
  await decide(phone, 7, 'rejected', null)
  await decide(phone, 8, 'rejected', null)
  await decide(phone, 8, 'approved', null)
  await sendAll(3)

  // Changed while the mails are held.
  const [now] = [await decided()]
  const basisOf = (index: number) => now[index]!.basis
  phone.isOnline = false
  tablet.isOnline = false
  await decide(phone, 10, 'rejected', basisOf(10))
  await decide(tablet, 11, 'rejected', basisOf(11))
  await decide(tablet, 11, 'approved', basisOf(11))
  await sendAll(1)
  expect(arrived().flat()).toEqual([])
  await endHolds(3)

  const first = await decided()
  expect(first.filter(({ status }) => status === 'pending').map(({ id }) => id)).toEqual([applicant(18), applicant(19)])
  expect(arrived()).toEqual(first.map(({ status }) => (status === 'pending' ? [] : [status])))
  const sent = await mailing.database.db('mails').where({ kind: 'decision', state: 'sent' }).orderBy('applicationId')
  expect(sent.map(({ key }) => key)).toEqual(
    first
      .filter(({ status }) => status !== 'pending')
      .map(({ id, decisionNumber: number }) => `decision-mail:${id}:${number}`),
  )
  expect([first[7]!.decisionNumber, first[8]!.decisionNumber, first[11]!.decisionNumber]).toEqual([2, 3, 3])

  // What everybody knows by now is changed once more: one approval for good, one there and back.
  phone.isOnline = false
  await decide(phone, 11, 'rejected', first[11]!.basis)
  await decide(phone, 8, 'rejected', first[8]!.basis)
  await decide(phone, 8, 'approved', first[8]!.basis)
  await sendAll(1)
  await endHolds(1)
  const second = arrived()
  expect([second[11], second[8]]).toEqual([['approved', 'revoked'], ['approved']])
  expect(second.flat()).toHaveLength(applicants - 2 + 1)
}, 400_000)
