import 'fake-indexeddb/auto'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { headers as wire, requestFor } from '#shared/contract/request.ts'
import { demoAccounts, demoPassword } from '../../../sync-server/db/seeds/seed-demo.ts'
import { fullSize, sized } from '../../../sync-server/testing/proof-size.ts'
import { startReplicatedPostgres } from '../../../sync-server/testing/replicated-postgres.ts'
import { currentEpoch } from '../../../sync-server/feed/epoch.ts'
import { createClient } from '../../../sync-server/testing/test-server.ts'
import { offerReceiptsAgain } from '../drain/offer-again.ts'
import { decideApplication } from '../queue/mutations/decide-application.ts'
import { markApplication } from '../queue/mutations/mark-application.ts'
import type { OrganizerPhone } from './chaos/phone.ts'
import { decisionOn } from './people.ts'
import {
  apply,
  arrivals,
  deliverMails,
  questions,
  retriedByPeople,
  setScene,
  settled,
  signInAgain,
  truth,
} from './restored/restored-scene.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

const newPassword = 'chosen in the lost minutes'

interface Kind {
  readonly name: string
  readonly isSynchronous?: true
  /** The servers are stopped, and started again after the promotion. */
  readonly isRestarted?: true
}

const kinds: Kind[] = [
  { name: 'the newest minutes lost, under running servers' },
  { name: 'the newest minutes lost, servers restarted', isRestarted: true },
  { name: 'nothing lost, under running servers', isSynchronous: true },
]

/** Within the minutes in which the control file still names the timeline of before. */
const restartAfterMs = fullSize ? 5_000 : 0

/** Answered by the server, and not pulled. */
const isAcknowledged = async ({ store, userId }: OrganizerPhone) =>
  await expect
    .poll(async () => (await store.entriesOf(userId)).map(({ state }) => state), { interval: 50 })
    .toEqual(['acknowledged'])

it.each(sized(kinds, kinds.slice(0, 1)))(
  'a promoted standby gets back what was acknowledged, once, and sends no mail twice: $name',
  async ({ isSynchronous = false, isRestarted = false }) => {
    const pair = await startReplicatedPostgres({ isSynchronous })
    closing.push(() => pair.stop())
    const scene = await setScene((close) => closing.push(close), pair.database)
    const { server, service, organizers, volunteers, eventId } = scene
    const { db } = pair.database
    const otto = demoAccounts.otto.email
    const browser = () => createClient(server.origin, { publicOrigin: server.origin }, db)
    const passwordOpens = async (password: string) =>
      (await browser().call('login', { body: { email: otto, password } })).status === 200
    for (const [index, phone] of volunteers.entries())
      if (index < 3) await apply(phone, index, eventId, questions.before)
    await settled(scene)
    await deliverMails(scene)
    const [first, second, third] = organizers as [OrganizerPhone, OrganizerPhone, OrganizerPhone]
    const applicants = third.replica.shown().applications
    const applicant = (index: number) => applicants.find(({ email }) => email === `bo-${index}@example.com`)!
    const approve = ({ outbox, userId }: OrganizerPhone, index: number) =>
      outbox.enqueue(decideApplication, decisionOn(applicant(index), 'approved'), { userId })
    // Its mail waits on both servers, and leaves in the lost minutes.
    await approve(third, 2)
    await settled(scene)
    const [lost, ending] = [browser(), browser()]
    for (const one of [lost, ending]) await one.ok('login', { body: { email: otto, password: demoPassword } })
    await pair.caughtUp()
    if (!isSynchronous) pair.cutReplication()

    // The lost minutes: a decision that is not pulled before the failover, two that are settled, an application, a password.
    const { id: applicationId, firstName } = applicant(1)
    await approve(second, 1)
    const marked = { applicationId, eventId, name: firstName, note: 'Knows everybody' }
    await third.outbox.enqueue(markApplication, marked, { userId: third.userId })
    await apply(volunteers[3]!, 3, eventId, questions.before)
    await settled(scene)
    await approve(first, 0)
    first.wake()
    await isAcknowledged(first)
    await ending.ok('changePassword', { body: { currentPassword: demoPassword, password: newPassword } })
    expect((await lost.call('listSessions')).status).toBe(401)
    await deliverMails(scene)
    const [before, mailsBefore, epochBefore] = [await truth(db), arrivals(service), await currentEpoch(db)]
    expect(mailsBefore.size).toBeGreaterThan(0)

    await pair.failOver()
    if (isRestarted) {
      await delay(restartAfterMs)
      await server.stop()
      await server.start()
    }
    await expect.poll(() => currentEpoch(db), { interval: 50 }).not.toBe(epochBefore)
    // Times are promised on a machine that does nothing else.
    if (fullSize && !isRestarted) expect(performance.now() - pair.firstConnectionAt()!).toBeLessThan(10_000)
    if (!isSynchronous) expect(await truth(db)).not.toEqual(before)

    for (const one of [lost, ending]) expect((await one.call('listSessions')).status).toBe(401)
    expect(await passwordOpens(isSynchronous ? newPassword : demoPassword)).toBe(true)
    for (const phone of organizers) await signInAgain(scene, phone)
    const epoch = (await fetch(server.origin + requestFor('findSession').url)).headers.get(wire.epoch)!
    for (const phone of volunteers)
      if ((await offerReceiptsAgain(phone.store, epoch, 168, phone.now())) > 0) phone.wake()
    await retriedByPeople(scene)

    expect(await truth(db)).toEqual(before)
    expect(organizers.map(({ replica }) => replica.resets())).toEqual(organizers.map(() => 1))
    await deliverMails(scene)
    expect(arrivals(service)).toEqual(mailsBefore)
    expect([...mailsBefore.values()].filter((count) => count > 1)).toEqual([])
  },
  300_000,
)
