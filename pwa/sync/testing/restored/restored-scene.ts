import type { Knex } from 'knex'
import { newId } from '#shared/record/new-id.ts'
import { randomUUID } from 'node:crypto'
import { expect, vi } from 'vitest'
import { demoAccounts } from '../../../../sync-server/db/seeds/seed-demo.ts'
import { readMail, type SmtpService } from '../../../../sync-server/testing/mail/smtp-service.ts'
import { startMailingServer, type MailingServer } from '../../../../sync-server/testing/mail/mailing-server.ts'
import type { TestDatabase } from '../../../../sync-server/testing/test-database.ts'
import { makeJobsDue, wakeWorkers } from '../../../../sync-server/testing/jobs/queued-jobs.ts'
import { applyAsBeacon } from '../../queue/mutations/apply-as-beacon.ts'
import { openNetwork, type PhoneNetwork } from '../chaos/network.ts'
import { openPhone, type OrganizerPhone, type Phone } from '../chaos/phone.ts'
import { signIn } from '../chaos/sign-in.ts'
import { beaFields } from '../people.ts'
import { seededRandom } from '../simulation/sim-world.ts'

export const organizerCount = 8
const volunteerCount = 12
/** So many volunteers apply before the backup; the others, and everything the organizers do about them, in the hour after. */
export const appliedBefore = 4

/** What the organizers ask for: whoever applies in the hour answers what the backup does not know, and not what it does. */
export const questions = { before: 'Shirt size? *', after: 'Your hometown? *' }

/** A server with its database and its mail, which both go back in time, and twenty devices. */
export interface Scene extends Pick<MailingServer, 'database' | 'server' | 'service'> {
  readonly network: PhoneNetwork
  readonly organizers: readonly OrganizerPhone[]
  readonly volunteers: readonly Phone[]
  /** The one everybody applies to. */
  readonly eventId: number
}

/**
 * @param onClose is given what is to be done at the end, the last thing first
 * @param database a new one by default
 */
export async function setScene(onClose: (close: () => unknown) => void, database?: TestDatabase): Promise<Scene> {
  const mailing = await startMailingServer({ TRUST_PROXY: '1', DEMO_MODE: '1' }, database)
  onClose(() => mailing.close())
  const { server, service } = mailing
  const { db } = mailing.database
  const network = openNetwork(server.origin)
  onClose(() => network.end())
  const open = async (name: string, index: number, userId: number | null) => {
    const phone = await openPhone({
      name,
      userId,
      deviceId: randomUUID(),
      address: `10.0.${userId === null ? 1 : 0}.${index + 1}`,
      network,
      random: seededRandom(index + 1),
    })
    onClose(() => phone.close())
    return phone
  }
  const olivia = (await db('users').where({ email: demoAccounts.olivia.email }).first('id'))!
  const organizers: OrganizerPhone[] = []
  for (let index = 0; index < organizerCount; index++) {
    const phone = await open(`organizer ${index}`, index, olivia.id)
    await signInAgain({ server, network }, phone)
    organizers.push(phone as OrganizerPhone)
  }
  const volunteers: Phone[] = []
  for (let index = 0; index < volunteerCount; index++) volunteers.push(await open(`volunteer ${index}`, index, null))
  const event = await db('events').where({ organizerId: olivia.id }).orderBy('endDate', 'desc').first('id')
  const openToAll = {
    applicationsClosed: false,
    maxBeacons: null,
    applicationsCloseAt: null,
    customQuestions: JSON.stringify([questions.before]),
  }
  await db('events').where({ id: event!.id }).update(openToAll)
  return { database: mailing.database, server, service, network, organizers, volunteers, eventId: event!.id }
}

/** Signs Olivia in on a device she has: after a restore nobody's session is there any more. */
export async function signInAgain({ server, network }: Pick<Scene, 'server' | 'network'>, phone: Phone): Promise<void> {
  const { cookie } = await signIn(server.origin, phone.name, phone.deviceId)
  network.subscribers.get(phone.deviceId)!.cookie = cookie
  await phone.outbox.signedIn(phone.userId!)
}

/** A volunteer applies on a phone of their own, and answers a question if there is one. */
export async function apply(phone: Phone, index: number, eventId: number, question?: string): Promise<void> {
  const customAnswers = question === undefined ? [] : [{ question, answer: `Answer ${index}` }]
  const fields = { ...beaFields, firstName: `Bo ${index}`, email: `bo-${index}@example.com`, customAnswers }
  await phone.outbox.enqueue(
    applyAsBeacon,
    { id: newId(), eventId, eventName: 'Mixer', fields, filledInMs: 60_000 },
    { userId: null },
  )
}

/** Until every device has nothing to send and holds what the server says; nobody touches anything. */
export async function settled({ organizers, volunteers }: Scene): Promise<void> {
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

/**
 * Once nothing is on its way any more, the people look at what was refused and choose Retry, the oldest first.
 * @returns the reasons that they read
 */
export async function retriedByPeople(scene: Scene): Promise<readonly string[]> {
  const phones = [...scene.organizers, ...scene.volunteers]
  const waiting = async () => {
    for (const phone of scene.organizers) await phone.replica.pull()
    const left = await Promise.all(
      phones.map(async ({ store, userId, outbox }) =>
        (await store.entriesOf(userId)).map((entry) => ({ entry, outbox })),
      ),
    )
    return left.flat().sort((one, other) => (one.entry.createdAt < other.entry.createdAt ? -1 : 1))
  }
  const reasons: string[] = []
  for (;;) {
    const parked = await vi.waitFor(
      async () => {
        const left = await waiting()
        expect(left.filter(({ entry: { state } }) => state !== 'parked' && state !== 'blocked')).toEqual([])
        return left
      },
      { timeout: 120_000, interval: 100 },
    )
    const first = parked.find(({ entry }) => entry.state === 'parked')
    if (!first) return reasons
    expect(first.entry.again).toBeDefined()
    reasons.push(`${first.entry.mutation}: ${first.entry.refusal?.problem.code}`)
    await first.outbox.retry(first.entry.seq)
  }
}

/** Lets every mail that waits leave. */
export async function deliverMails({ database }: Pick<Scene, 'database'>): Promise<void> {
  await makeJobsDue(database.db)
  await wakeWorkers(database.db)
  const unsent = () => database.db('mails').whereIn('state', ['held', 'queued', 'sending']).select('key')
  await expect.poll(unsent, { interval: 100 }).toEqual([])
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
  'statusTokenHash',
] as const

/** What people made of everything, without when. */
export async function truth(db: Knex): Promise<unknown> {
  const applications = await db('applications').where('email', 'like', 'bo-%').orderBy('email').select(columns)
  const events = await db('events').orderBy('id').select('id', 'name', 'description', 'customQuestions', 'edition')
  return { applications, events }
}

/** How often each mail arrived. */
export function arrivals(service: SmtpService): Map<string, number> {
  const counts = new Map<string, number>()
  for (const mail of service.received) {
    const name = `${mail.to[0]} ${readMail(mail).headers['subject']}`
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return counts
}
