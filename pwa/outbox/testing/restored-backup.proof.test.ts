import 'fake-indexeddb/auto'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Knex } from 'knex'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { headers as wire, requestFor } from '#shared/contract/request.ts'
import { databaseWentBack } from '../../../sync-server/app/database-went-back.ts'
import { connectionStringOf } from '../../../sync-server/db/knex-config.ts'
import { demoAccounts, demoPassword } from '../../../sync-server/db/seeds/demo.ts'
import { restoreBackup } from '../../../sync-server/scripts/commands/restore-backup.ts'
import { takeBackup } from '../../../sync-server/scripts/commands/take-backup.ts'
import { layAside, putInPlace } from '../../../sync-server/testing/laid-aside-database.ts'
import { prepareServerProcess, type ServerProcess } from '../../../sync-server/testing/server-process.ts'
import { readMail, startSmtpService, type SmtpService } from '../../../sync-server/testing/smtp-service.ts'
import { createTestDatabase, type TestDatabase } from '../../../sync-server/testing/test-database.ts'
import { applyAsBeacon } from '../mutations/apply-as-beacon.ts'
import { createEvent } from '../mutations/create-event.ts'
import { customizeEvent } from '../mutations/customize-event.ts'
import { decideApplication } from '../mutations/decide-application.ts'
import { deleteEvent } from '../mutations/delete-event.ts'
import { markApplication } from '../mutations/mark-application.ts'
import { updateEvent } from '../mutations/update-event.ts'
import { eventFieldsOf, pickCustomizationFields } from '../mutations/event-fields.ts'
import { offerReceiptsAgain } from '../drain/offer-again.ts'
import { openLedger } from './chaos/ledger.ts'
import { openNetwork, type PhoneNetwork } from './chaos/network.ts'
import { openPhone, type Phone } from './chaos/phone.ts'
import { beaFields } from './people.ts'
import { seededRandom } from './simulation/sim-world.ts'

const organizerCount = 8
const volunteerCount = 12
/** So many volunteers apply before the backup; the others, and everything the organizers do about them, in the hour after. */
const appliedBefore = 4

/** What the organizers ask for: whoever applies in the hour answers what the backup does not know, and not what it does. */
const questions = { before: 'Shirt size? *', after: 'Your hometown? *' }

interface Scene {
  readonly database: TestDatabase
  readonly server: ServerProcess
  readonly service: SmtpService
  readonly network: PhoneNetwork
  readonly organizers: (Phone & { readonly userId: number; readonly replica: NonNullable<Phone['replica']> })[]
  readonly volunteers: Phone[]
  readonly eventId: number
}

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

async function setScene(): Promise<Scene> {
  const database = await createTestDatabase()
  closing.push(() => database.drop())
  const service = await startSmtpService()
  closing.push(() => service.close())
  const server = await prepareServerProcess(
    {
      DATABASE_URL: database.connectionString,
      SMTP_URL: service.url,
      MAIL_FROM: 'Beaconry <hello@beaconry.example>',
      TRUST_PROXY: '1',
    },
    { fromSource: true },
  )
  await server.start()
  closing.push(() => server.kill())
  const network = openNetwork(server.origin)
  closing.push(() => network.end())
  const open = async (name: string, index: number, userId: number | null, deviceId: string) => {
    const phone = await openPhone({
      name,
      userId,
      deviceId,
      address: `10.0.${userId === null ? 1 : 0}.${index + 1}`,
      network,
      ledger: openLedger(() => undefined),
      random: seededRandom(index + 1),
      onNews: () => undefined,
    })
    closing.push(() => phone.close())
    return phone
  }
  const olivia = (await database.db('users').where({ email: demoAccounts.olivia.email }).first('id'))!
  const organizers: Scene['organizers'] = []
  for (let index = 0; index < organizerCount; index++) {
    const phone = await open(`organizer ${index}`, index, olivia.id, randomUUID())
    await signIn(server.origin, network, phone)
    organizers.push(phone as Scene['organizers'][number])
  }
  const volunteers: Phone[] = []
  for (let index = 0; index < volunteerCount; index++)
    volunteers.push(await open(`volunteer ${index}`, index, null, randomUUID()))
  const event = await database.db('events').where({ organizerId: olivia.id }).orderBy('endDate', 'desc').first('id')
  const openToAll = {
    applicationsClosed: false,
    maxBeacons: null,
    applicationsCloseAt: null,
    customQuestions: JSON.stringify([questions.before]),
  }
  await database.db('events').where({ id: event!.id }).update(openToAll)
  return { database, server, service, network, organizers, volunteers, eventId: event!.id }
}

/** Signs Olivia in on a device: after a restore nobody's session is there any more. */
async function signIn(origin: string, network: PhoneNetwork, phone: Phone): Promise<void> {
  const { method, url } = requestFor('login')
  const answer = await fetch(origin + url, {
    method,
    headers: { 'Content-Type': 'application/json', [wire.deviceId]: phone.deviceId },
    body: JSON.stringify({ email: demoAccounts.olivia.email, password: demoPassword }),
  })
  if (!answer.ok) throw new Error(`${phone.name} cannot sign in: ${await answer.text()}`)
  network.subscribers.get(phone.deviceId)!.cookie = answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  await phone.outbox.signedIn(phone.userId!)
}

async function leaseNumber(origin: string, network: PhoneNetwork, phone: Phone) {
  const { method, url } = requestFor('leaseEventIds')
  const answer = await fetch(origin + url, {
    method,
    headers: {
      'Content-Type': 'application/json',
      [wire.deviceId]: phone.deviceId,
      Cookie: network.subscribers.get(phone.deviceId)!.cookie!,
    },
    body: JSON.stringify({ count: 1, besides: [] }),
  })
  const { ids, proofs } = (await answer.json()) as { ids: number[]; proofs: string[] }
  return { id: ids[0]!, lease: proofs[0]! }
}

async function apply(phone: Phone, index: number, eventId: number, question?: string): Promise<void> {
  const customAnswers = question === undefined ? [] : [{ question, answer: `Answer ${index}` }]
  const fields = { ...beaFields, firstName: `Bo ${index}`, email: `bo-${index}@example.com`, customAnswers }
  await phone.outbox.enqueue(
    applyAsBeacon,
    { eventId, eventName: 'Mixer', fields, filledInMs: 60_000 },
    { userId: null },
  )
}

/** Until every device has nothing to send and holds what the server says; nobody touches anything. */
async function settled({ organizers, volunteers }: Scene): Promise<void> {
  await vi.waitFor(
    async () => {
      for (const phone of organizers) await phone.replica.pull()
      const left: string[] = []
      for (const phone of [...organizers, ...volunteers])
        for (const { state, mutation, refusal } of await phone.store.entriesOf(phone.userId))
          left.push(`${phone.name}: ${mutation} is ${state} ${refusal?.problem.message ?? ''}`)
      expect(left).toEqual([])
    },
    { timeout: 120_000, interval: 200 },
  )
  // What a volunteer sent after the last look.
  for (const phone of organizers) await phone.replica.pull()
}

/** Lets every mail that waits leave. */
async function deliverMails({ database }: Scene): Promise<void> {
  await database
    .db('jobs')
    .where({ state: 'waiting' })
    .update({ runAt: new Date(0) })
  await database.db.raw(`select pg_notify('jobs', 'send-mail')`)
  await vi.waitFor(
    async () =>
      expect(await database.db('mails').whereIn('state', ['held', 'queued', 'sending']).select('key')).toEqual([]),
    { timeout: 60_000, interval: 100 },
  )
}

/** The hour whose end nobody has a backup of. */
async function liveAnHour(scene: Scene): Promise<void> {
  const { organizers, volunteers, eventId, server, network } = scene
  const founder = organizers[0]!
  const leased = await leaseNumber(server.origin, network, founder)
  const pattern = founder.replica.events().find(({ id }) => id === eventId)!
  const fields = { ...eventFieldsOf(pattern), name: 'Founded in the lost hour' }
  const made = { organizerId: founder.userId, timeZone: pattern.timeZone, createdAt: new Date().toISOString() }
  await founder.outbox.enqueue(createEvent, { ...leased, ...made, fields }, { userId: founder.userId })
  await founder.outbox.enqueue(
    customizeEvent,
    {
      id: eventId,
      name: pattern.name,
      fields: { ...pickCustomizationFields(pattern), customQuestions: [questions.after] },
      expectedEdition: pattern.edition,
    },
    { userId: founder.userId },
  )
  await settled(scene)
  for (const [index, phone] of volunteers.entries())
    if (index >= appliedBefore)
      await (index % 3 === 0 ? apply(phone, index, leased.id) : apply(phone, index, eventId, questions.after))
  await settled(scene)
  for (const [index, phone] of organizers.entries()) {
    const mine = phone.replica.applications().filter(({ email }) => email.startsWith('bo-'))
    const application = mine.find(({ email }) => email === `bo-${index + 4}@example.com`)!
    const about = {
      applicationId: application.id,
      eventId: application.eventId,
      name: application.firstName,
      ...(application.origin === undefined ? {} : { origin: application.origin }),
    }
    const status = index % 2 === 0 ? ('approved' as const) : ('rejected' as const)
    await phone.outbox.enqueue(
      decideApplication,
      { ...about, status, from: application.status, expectedDecisionNumber: application.decisionNumber },
      { userId: phone.userId },
    )
    await phone.outbox.enqueue(markApplication, { ...about, note: `note of ${phone.name}` }, { userId: phone.userId })
  }
  await settled(scene)
  // A second thought of another device, which can only come after the first one.
  const [first, second] = [organizers[0]!, organizers[1]!]
  const again = second.replica.applications().find(({ email }) => email === 'bo-4@example.com')!
  await second.outbox.enqueue(
    decideApplication,
    {
      applicationId: again.id,
      eventId: again.eventId,
      name: again.firstName,
      status: 'rejected',
      from: again.status,
      expectedDecisionNumber: again.decisionNumber,
      ...(again.origin === undefined ? {} : { origin: again.origin }),
    },
    { userId: second.userId },
  )
  // Made on a device that comes back late, called off on one that comes back early.
  const calledOff = await leaseNumber(server.origin, network, founder)
  const fieldsOff = { ...eventFieldsOf(pattern), name: 'Called off in the lost hour' }
  await founder.outbox.enqueue(createEvent, { ...calledOff, ...made, fields: fieldsOff }, { userId: founder.userId })
  await settled(scene)
  const caller = organizers.at(-1)!
  await caller.outbox.enqueue(deleteEvent, { id: calledOff.id, name: fieldsOff.name }, { userId: caller.userId })
  await settled(scene)
  const edited = first.replica.events().find(({ id }) => id === eventId)!
  await first.outbox.enqueue(
    updateEvent,
    {
      id: eventId,
      fields: { ...eventFieldsOf(edited), description: 'As it was at the end' },
      expectedEdition: edited.edition,
    },
    { userId: first.userId },
  )
  await settled(scene)
  await deliverMails(scene)
}

const columns = [
  'id',
  'eventId',
  'email',
  'firstName',
  'customAnswers',
  'status',
  'decisionNumber',
  'note',
  'origin',
  'statusTokenHash',
] as const

/** What people made of everything, without when. */
async function truth(db: Knex): Promise<unknown> {
  const applications = await db('applications').where('email', 'like', 'bo-%').orderBy('email').select(columns)
  const events = await db('events').orderBy('id').select('id', 'name', 'description', 'customQuestions', 'edition')
  return { applications, events }
}

/** How often each mail arrived. */
const arrivals = (service: SmtpService) => {
  const counts = new Map<string, number>()
  for (const mail of service.received) {
    const name = `${mail.to[0]} ${readMail(mail).headers['subject']}`
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return counts
}

interface Kind {
  readonly name: string
  /** Nobody is connected. @returns how to go back to this moment, once nobody is connected again */
  keep(db: Knex): Promise<() => Promise<void>>
}

const kinds: Kind[] = [
  {
    name: 'our own backup',
    async keep(db) {
      const folder = mkdtempSync(path.join(os.tmpdir(), 'restored-'))
      closing.push(() => rmSync(folder, { recursive: true, force: true }))
      const file = path.join(folder, 'backup')
      await takeBackup(db, file, new Date())
      return async () => void (await restoreBackup(db, file, { force: true }))
    },
  },
  {
    name: 'a database that was loaded from a dump',
    async keep(db) {
      const url = connectionStringOf(db)
      await db.destroy()
      const aside = await layAside(url)
      db.initialize()
      return async () => {
        await db.destroy()
        await putInPlace(url, aside)
        db.initialize()
      }
    },
  },
  {
    name: 'a snapshot, and its operator says so',
    async keep(db) {
      const url = connectionStringOf(db)
      await db.destroy()
      const aside = await layAside(url)
      db.initialize()
      return async () => {
        await db.destroy()
        await putInPlace(url, aside)
        db.initialize()
        // To PostgreSQL it is the very database it was: no start can notice.
        await db('sync_epoch').update({ databaseIdentity: null })
        await db.transaction(databaseWentBack)
      }
    },
  },
]

describe('after the server was brought back by an hour, 20 devices', () => {
  it.each(kinds)(
    'bring back everything that was settled since, once, and no mail goes out twice: $name',
    async ({ keep }) => {
      const scene = await setScene()
      const { database, server, service, organizers, volunteers, network, eventId } = scene
      for (const phone of organizers) await phone.replica.pull()
      for (const [index, phone] of volunteers.entries())
        if (index < appliedBefore) await apply(phone, index, eventId, questions.before)
      await settled(scene)
      await deliverMails(scene)

      await server.stop()
      const goBack = await keep(database.db)
      await server.start()
      await liveAnHour(scene)
      const before = await truth(database.db)
      const mailsBefore = arrivals(service)

      await server.stop()
      await goBack()
      expect(await truth(database.db)).not.toEqual(before)
      await server.start()
      for (const phone of organizers) await signIn(server.origin, network, phone)
      const { url } = requestFor('findSession')
      const epoch = (await fetch(server.origin + url)).headers.get(wire.epoch)!
      // Whoever opens the app first.
      const order = [
        ...volunteers.slice(8),
        ...organizers.slice(4),
        ...volunteers.slice(0, 8),
        ...organizers.slice(0, 4),
      ]
      for (const phone of order) {
        if (phone.replica) await phone.replica.pull()
        else if ((await offerReceiptsAgain(phone.store, epoch, 168, phone.now())) > 0) phone.isOnline = true
        await delay(50)
      }
      await settled(scene)

      expect(await truth(database.db)).toEqual(before)
      expect(organizers.map(({ replica }) => replica.resets())).toEqual(organizers.map(() => 1))
      await deliverMails(scene)
      expect(arrivals(service)).toEqual(mailsBefore)
      expect([...mailsBefore.values()].filter((count) => count > 1)).toEqual([])
      // Which of them left is for a person to say.
      const doubted = await database.db('mails').where({ state: 'failed', kind: 'decision' }).select('lastError')
      expect(doubted.length).toBeGreaterThanOrEqual(organizerCount)
      // Everybody's own page opens as before.
      for (const phone of volunteers) {
        const [receipt] = await phone.store.receipts()
        const { token } = receipt!.answer as { token: string }
        const page = requestFor('getOwnApplication')
        const own = await fetch(server.origin + page.url, { headers: { [wire.applicationToken]: token } })
        expect(own.status).toBe(200)
      }
    },
    300_000,
  )
})
