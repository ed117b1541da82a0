import 'fake-indexeddb/auto'
import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { headers as wire, requestFor } from '#shared/contract/request.ts'
import { collections, type Collection } from '#shared/sync/replication-calls.ts'
import { createKnex } from '../../../sync-server/db/knex-config.ts'
import { openMailPost } from '../../../sync-server/testing/mail/mail-post.ts'
import {
  aboutRecording,
  emptyDatabase,
  openAsItWas,
  pulledOf,
  recordedVersions,
  truthOf,
} from '../../../sync-server/testing/recorded-version.ts'
import { createTestDatabase } from '../../../sync-server/testing/test-database.ts'
import { startTestServer, type TestServer } from '../../../sync-server/testing/test-server.ts'
import { describeSender } from '../../api/call.ts'
import { readSetting } from '../../device/device-db.ts'
import { readDraft } from '../../device/drafts.ts'
import { pullInto } from '../../replica/store/collection-sync.ts'
import { openReplicaDatabase } from '../../replica/store/replica-db.ts'
import { readSyncMeta } from '../../replica/store/sync-meta.ts'
import { askToCancel } from '../drain/cancel.ts'
import { createReplayer, type WakeReason } from '../drain/replay.ts'
import { acknowledgedAmong, settle } from '../drain/settle.ts'
import { createFetchTransport, type Transport } from '../drain/transport.ts'
import { createOutbox } from '../enqueue.ts'
import type { Entry, Receipt, Settled } from '../entry.ts'
import { createEvent } from '../mutations/create-event.ts'
import { openOutboxDatabase } from '../store/outbox-db.ts'
import { outboxDatabaseName, type OutboxStorage } from '../store/outbox-store.ts'
import { newSubscriber, openNetwork } from './chaos/network.ts'
import { processLocks } from './manual-time.ts'
import { aboutPhones, endOf, layOut, recordedPhone, recordedRows } from './recorded-phone.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

const minuteMs = 60_000
const deviceDatabase = 'beaconry-device'

/** The queue in the page. */
function openInPage(): OutboxStorage {
  const database = openOutboxDatabase()
  closing.push(() => database.close())
  return database
}

/** The queue in the service worker, which may be the first to open it after an update. */
function openInWorker(): OutboxStorage {
  const database = openOutboxDatabase(undefined, { upgrades: false })
  closing.push(() => database.close())
  return database
}

/** The present app on a recorded phone, whose network tells which change left when. */
function openApp({ store, device }: OutboxStorage, phoneClock: number) {
  /** The keys of each request that was to change something. */
  const requests: string[][] = []
  const made = () => Promise.reject(new Error('The phone has forgotten who it is'))
  const known = () => device(() => ({ id: 'new', name: 'new' })).then((it) => (it.id === 'new' ? made() : it))
  const fetching = createFetchTransport(known)
  const transport: Transport = (request) => {
    const { entries } = JSON.parse(request.body) as { entries?: { key: string }[] }
    if (entries) requests.push(entries.map(({ key }) => key))
    return fetching(request)
  }
  let clock = phoneClock
  const replayer = createReplayer({
    store,
    transport,
    locks: processLocks(),
    timers: { after: () => () => undefined },
    now: () => clock,
    random: () => 0.5,
    owner: 'the present app',
  })
  const outbox = createOutbox({
    store,
    now: () => clock,
    newKey: randomUUID,
    wake: () => undefined,
    cancel: (account, key) => askToCancel(fetching, account, key, AbortSignal.timeout(5000)),
  })
  /** Wakes the queue, and again when every waiting time is over. */
  const drain = async (reason: WakeReason) => {
    expect((await replayer.wake(reason)).end).toBe('drained')
    clock += 10 * minuteMs
    expect((await replayer.wake('timer')).end).toBe('drained')
  }
  return { store, outbox, requests, drain, now: () => clock }
}

/** The present server on the database of an earlier version, a minute after that one was left. */
async function startServer(version: string): Promise<TestServer> {
  const database = await createTestDatabase()
  closing.push(() => database.drop())
  await database.db.destroy()
  const filling = createKnex(database.connectionString, { poolSize: 2 })
  await emptyDatabase(filling)
  await openAsItWas(filling, version)
  await filling.destroy()
  const db = createKnex(database.connectionString)
  closing.push(() => db.destroy())
  const now = () => new Date(Date.parse(aboutRecording(version).takenAt) + minuteMs)
  const server = await startTestServer({ db, now })
  closing.push(() => server.close())
  return server
}

const queueOf = (version: string, whose: 'visitor' | 'organizer', userId: number | null) =>
  recordedRows<Entry & { owner: number }>(recordedPhone(version, whose), outboxDatabaseName, 'entries')
    .filter((entry) => entry.userId === userId)
    .map(({ owner: _owner, ...entry }) => entry)

const leftOf = (entries: readonly Entry[]) =>
  entries.map(({ key, state, refusal }) => ({ key, state, ...(refusal ? { code: refusal.problem.code } : {}) }))

/** Every change left once, and those of a lane in the order they were made in. */
function expectOnceAndInOrder(requests: readonly string[][], queued: readonly Entry[], left: readonly Entry[]): void {
  const sent = requests.flat()
  const stays = new Set(left.flatMap(({ key, state }) => (state === 'blocked' ? [key] : [])))
  const leave = queued.filter(
    ({ key, state, discarding }) => state !== 'acknowledged' && state !== 'parked' && !discarding && !stays.has(key),
  )
  expect(sent.toSorted()).toEqual(leave.map(({ key }) => key).toSorted())
  for (const lane of new Set(leave.map((entry) => entry.lane))) {
    const ofLane = leave.filter((entry) => entry.lane === lane).map(({ key }) => key)
    expect(sent.filter((key) => ofLane.includes(key))).toEqual(ofLane)
  }
}

describe.each(recordedVersions)('a phone of %s', (version) => {
  it('holds every kind of change, and every state that a change can be in', () => {
    const about = aboutRecording(version)
    const own = [...queueOf(version, 'organizer', about.oliviaId), ...queueOf(version, 'organizer', about.ottoId)]
    const all = [...own, ...queueOf(version, 'visitor', null)]
    const kindsIn = (state: Entry['state']) =>
      [...new Set(all.filter((entry) => entry.state === state).map(({ mutation }) => mutation))].toSorted()
    const visitors = ['apply-as-beacon', 'correct-application', 'withdraw-application']
    const organizers = [
      'create-event',
      'customize-event',
      'decide-application',
      'delete-event',
      'mark-application',
      'retry-mail',
      'update-event',
    ]
    const every = [...visitors, ...organizers].toSorted()
    const without = (...absent: string[]) => every.filter((name) => !absent.includes(name))
    expect({
      held: kindsIn('held'),
      queued: kindsIn('queued'),
      sending: kindsIn('sending'),
      acknowledged: kindsIn('acknowledged'),
      needsAuth: kindsIn('needsAuth'),
      parked: kindsIn('parked'),
      blocked: kindsIn('blocked'),
    }).toEqual({
      held: ['decide-application'],
      queued: every,
      sending: every,
      // A visitor's leaves a receipt; whoever is not signed in needs no session.
      acknowledged: organizers,
      needsAuth: organizers,
      // What is gone already is deleted; nothing comes before a creation.
      parked: without('delete-event'),
      blocked: without('create-event'),
    })
  })

  it.each([
    { where: 'in a page', open: openInPage },
    { where: 'in the service worker', open: openInWorker },
  ])('opens as it was left, $where', async ({ open }) => {
    const about = aboutRecording(version)
    const { visitorDeviceId, organizerDeviceId } = aboutPhones(version)
    const visitor = recordedPhone(version, 'visitor')
    await layOut(visitor)
    const noone = open()
    expect(await noone.store.entriesOf(null)).toEqual(queueOf(version, 'visitor', null))
    expect(await noone.store.receipts()).toEqual(recordedRows<Receipt>(visitor, outboxDatabaseName, 'receipts'))
    expect((await noone.device(() => ({ id: 'new', name: 'new' }))).id).toBe(visitorDeviceId)
    expect(await readDraft('visitor/apply/1')).toMatchObject({ value: { firstName: 'Bea', lastName: 'Draft' } })
    for (const close of closing.splice(0)) await close()

    const organizer = recordedPhone(version, 'organizer')
    await layOut(organizer)
    const { store, device } = open()
    for (const userId of [about.oliviaId, about.ottoId])
      expect(await store.entriesOf(userId)).toEqual(queueOf(version, 'organizer', userId))
    const kept = recordedRows<Settled>(organizer, outboxDatabaseName, 'settled')
    expect(kept).not.toEqual([])
    expect(await store.settled(about.oliviaId)).toEqual(kept)
    expect(await device(() => ({ id: 'new', name: 'new' }))).toEqual({ id: organizerDeviceId, name: "Olivia's phone" })
    for (const { key, ...draft } of recordedRows<{ key: string }>(organizer, deviceDatabase, 'drafts'))
      expect(await readDraft(key)).toEqual({ key, ...draft })
    for (const { name, value } of recordedRows<{ name: string; value: unknown }>(organizer, deviceDatabase, 'settings'))
      expect(await readSetting(name)).toEqual(value)
  })

  it('sends its whole queue to the present server, each change once and in order, and comes to the same end', async () => {
    const about = aboutRecording(version)
    const { phoneClock, visitorDeviceId, organizerDeviceId } = aboutPhones(version)
    const server = await startServer(version)
    const network = openNetwork(server.origin)
    closing.push(() => network.end())
    network.subscribers.set(visitorDeviceId, newSubscriber({ address: '10.0.0.1' }))
    network.subscribers.set(organizerDeviceId, newSubscriber({ address: '10.0.0.2', cookie: about.oliviaCookie }))

    await layOut(recordedPhone(version, 'visitor'))
    const noone = openApp(openInWorker(), phoneClock)
    await noone.drain('page-start')
    const leftByVisitor = await noone.store.entriesOf(null)
    expect(leftOf(leftByVisitor)).toEqual(endOf(version, 'left visitor'))
    expectOnceAndInOrder(noone.requests, queueOf(version, 'visitor', null), leftByVisitor)
    const receipts = (await noone.store.receipts()).map(({ key, mutation }) => ({ key, mutation }))
    expect(receipts).toEqual(endOf(version, 'receipt'))

    await layOut(recordedPhone(version, 'organizer'))
    const app = openApp(openInPage(), phoneClock)
    // Nobody signs in anew: the session of before is good.
    await app.drain('page-start')
    const leftByOlivia = await app.store.entriesOf(about.oliviaId)
    expect(leftOf(leftByOlivia)).toEqual(endOf(version, 'left olivia'))
    expectOnceAndInOrder(app.requests, queueOf(version, 'organizer', about.oliviaId), leftByOlivia)

    expect(leftOf(await app.store.entriesOf(about.ottoId)).map(({ state }) => state)).toEqual(
      queueOf(version, 'organizer', about.ottoId).map(() => 'needsAuth'),
    )
    app.requests.length = 0
    network.subscribers.get(organizerDeviceId)!.cookie = await signIn(server, organizerDeviceId, 'otto', about.password)
    await app.outbox.signedIn(about.ottoId)
    await app.drain('sign-in')
    const leftByOtto = await app.store.entriesOf(about.ottoId)
    expect(leftOf(leftByOtto)).toEqual(endOf(version, 'left otto'))
    expectOnceAndInOrder(app.requests, queueOf(version, 'organizer', about.ottoId), leftByOtto)

    const truth = await truthOf(server.db)
    for (const kind of ['events', 'applications', 'decisions', 'mails'] as const)
      expect(truth[kind], kind).toEqual(endOf(version, kind))
    const post = await openMailPost(() => server.db)
    closing.push(() => post.close())
    const mails = await post.deliver(new Date(Date.parse(about.takenAt) + 60 * minuteMs))
    const told = (mail: { to: unknown; subject: unknown }) => `${String(mail.to)} ${String(mail.subject)}`
    expect(mails.map(({ to, subject }) => told({ to: to[0], subject })).toSorted()).toEqual(
      (endOf(version, 'arrived') as { to: string; subject: string }[]).map(told).toSorted(),
    )
  })

  it('brings its copy up to date, lets go of what that shows, and goes on', async () => {
    const about = aboutRecording(version)
    const { oliviaId } = about
    const { phoneClock, organizerDeviceId } = aboutPhones(version)
    const server = await startServer(version)
    const network = openNetwork(server.origin)
    closing.push(() => network.end())
    network.subscribers.set(organizerDeviceId, newSubscriber({ address: '10.0.0.2', cookie: about.oliviaCookie }))
    const sender = { deviceId: organizerDeviceId, deviceName: "Olivia's phone", account: oliviaId }
    describeSender(async () => sender)
    closing.push(() => describeSender(async () => null))

    await layOut(recordedPhone(version, 'organizer'))
    const app = openApp(openInPage(), phoneClock)
    const meta = await readSyncMeta(oliviaId)
    expect(meta).toMatchObject({ userId: oliviaId, epoch: about.epoch })
    const copy = await openReplicaDatabase({ userId: oliviaId, epoch: about.epoch, generation: meta?.generation ?? 0 })
    closing.push(() => copy.close())
    const documentsOf = (collection: Collection) => {
      let documents: readonly { readonly key: string }[] = []
      copy.watch(collection, (all) => (documents = all))()
      return Object.fromEntries(documents.map((document) => [document.key, document as Record<string, unknown>]))
    }
    const { pull } = pullInto(copy, about.epoch, () => undefined)
    const pullAll = async () => {
      const pulledSince = acknowledgedAmong(await app.store.entriesOf(oliviaId), oliviaId)
      const heads: Record<string, number> = {}
      for (const collection of collections) {
        const end = await pull(collection, new AbortController().signal)
        if (end.kind !== 'pulled') throw new Error(`A pull of ${collection} ended with ${end.kind}`)
        heads[collection] = end.head
      }
      const documents = { events: documentsOf('events'), applications: documentsOf('applications') }
      const view = {
        epoch: about.epoch,
        appliedVersion: Math.min(heads['events']!, heads['applications']!),
        versionOf: (collection: 'events' | 'applications', key: string) =>
          documents[collection][key]?.['version'] as number | undefined,
        pulledSince,
      }
      await settle({ store: app.store, wake: () => undefined }, oliviaId, view, app.now())
    }

    await pullAll()
    for (const collection of collections) {
      const recorded = pulledOf(version, 'olivia', collection)
      const documents = documentsOf(collection)
      expect(Object.keys(documents).toSorted()).toEqual(Object.keys(recorded).toSorted())
      expect(documents).toMatchObject(recorded)
    }
    const settledNow = queueOf(version, 'organizer', oliviaId).filter(({ state }) => state === 'acknowledged')
    expect(settledNow.length).toBeGreaterThan(5)
    const present = await app.store.entriesOf(oliviaId)
    expect(present.filter(({ state }) => state === 'acknowledged')).toEqual([])
    const kept = (await app.store.settled(oliviaId)).map(({ key }) => key)
    // A mail that was sent again is never sent once more.
    const offered = settledNow.filter(({ mutation }) => mutation !== 'retry-mail').map(({ key }) => key)
    expect(kept).toEqual(expect.arrayContaining(offered))

    // A number that the old version was given for a new event is good.
    const numbers = await readSetting<{ free: { id: number; proof: string }[] }>(`event-numbers/${oliviaId}`)
    const { id, proof: lease } = numbers!.free[0]!
    const queued = present.find(({ mutation, state }) => mutation === createEvent.name && state === 'queued')!
    const { fields, ...rest } = createEvent.upcast(queued.args, queued.argsVersion)
    const named = { ...rest, id, lease, fields: { ...fields, name: 'Made by the present app' } }
    await app.outbox.enqueue(createEvent, named, { userId: oliviaId })
    await app.drain('online')
    await pullAll()
    // What was refused is made anew on what is there now, and then what stood behind it, which had not seen that either.
    for (const mutation of ['update-event', 'customize-event']) {
      const first = (await app.store.entriesOf(oliviaId)).find(({ lane }) => lane === 'event:2')!
      expect(first).toMatchObject({ mutation, state: 'parked', refusal: { problem: { code: 'conflict' } } })
      expect(await app.outbox.retry(first.seq)).toBe('retried')
      await app.drain('online')
      await pullAll()
    }
    const events = documentsOf('events')
    expect(events[String(id)]).toMatchObject({ name: 'Made by the present app' })
    expect(events['2']).toMatchObject({ description: 'Only books.', customQuestions: ['Which book?'] })
    const states = new Set((await app.store.entriesOf(oliviaId)).map(({ state }) => state))
    expect([...states].toSorted()).toEqual(['blocked', 'parked'])
  })
})

/** What the browser sends from now on. */
async function signIn(server: TestServer, deviceId: string, who: string, password: string): Promise<string> {
  const { method, url } = requestFor('login')
  const answer = await fetch(server.origin + url, {
    method,
    headers: { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin', [wire.deviceId]: deviceId },
    body: JSON.stringify({ email: `${who}@example.com`, password }),
  })
  expect(answer.status).toBe(200)
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
}
