import { afterEach, describe, expect, it } from 'vitest'
import { headers as wire, requestFor } from '#shared/contract/request.ts'
import { collections, type Collection } from '#shared/sync/replication-calls.ts'
import { createKnex } from '../db/knex-config.ts'
import { restoreBackup } from '../scripts/commands/restore-backup.ts'
import { openMailPost } from '../testing/mail/mail-post.ts'
import {
  aboutRecording,
  answeredOf,
  emptyDatabase,
  openAsItWas,
  pulledOf,
  recordedVersions,
  truthOf,
  withRecordedBackup,
} from '../testing/recorded-version.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { startTestServer, type TestClient } from '../testing/test-server.ts'
import { publishEverything } from './nouns.ts'
import { recogniseDatabase } from './database-went-back.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

const ways = [
  {
    way: 'opened where it was',
    isRestored: false,
    fill: async (url: string, version: string) => {
      const db = createKnex(url, { poolSize: 2 })
      await emptyDatabase(db)
      await openAsItWas(db, version)
      await db.destroy()
    },
  },
  {
    way: 'restored from its own backup',
    isRestored: true,
    fill: async (url: string, version: string) => {
      // A restore wants the database for itself.
      const db = createKnex(url, { poolSize: 1 })
      await emptyDatabase(db)
      await withRecordedBackup(version, (file) => restoreBackup(db, file, { force: false }))
      await db.destroy()
    },
  },
]
const cases = recordedVersions.flatMap((version) => ways.map((way) => ({ version, ...way })))

/** The present server on a database of an earlier version, a minute after that one was left. */
async function startOn(version: string, fill: (url: string, version: string) => Promise<void>) {
  const database = await createTestDatabase()
  closing.push(() => database.drop())
  await database.db.destroy()
  await fill(database.connectionString, version)
  const db = createKnex(database.connectionString)
  closing.push(() => db.destroy())
  expect(await recogniseDatabase(db)).toBeUndefined()
  const about = aboutRecording(version)
  const now = () => new Date(Date.parse(about.takenAt) + 60_000)
  const server = await startTestServer({ db, now })
  closing.push(() => server.close())
  const signIn = async (who: 'olivia' | 'otto') => {
    const client = server.client({ name: 'A new phone' })
    const answer = await client.call('login', {
      body: { email: `${who}@example.com`, password: about.password },
    })
    expect(answer.status, answer.text).toBe(200)
    return client
  }
  return { server, about, now, signIn }
}

async function pull(client: TestClient, collection: Collection) {
  const { status, text, body } = await client.call('pull', { query: { collection, limit: 500 } })
  expect(status, text).toBe(200)
  return body as { documents: { key: string }[]; checkpoint: { epoch: string; version: number } }
}

const byKey = (documents: readonly { readonly key: string }[]) =>
  Object.fromEntries(documents.map((document) => [document.key, document]))

/** Offers recorded changes as their phone did: one request for each account, in the old order. */
async function offerAgain(version: string, clients: Readonly<Record<string, TestClient>>) {
  const lines: unknown[] = []
  for (const account of [null, aboutRecording(version).oliviaId]) {
    const entries = answeredOf(version).flatMap((one) => (one.account === account ? [one.asked] : []))
    const client = clients[String(account)]!
    const answer = await client.call('replayMutations', { body: { account, entries } })
    expect(answer.status, answer.text).toBe(200)
    for (const line of answer.text.trim().split('\n')) lines.push(JSON.parse(line))
  }
  return lines
}

describe.each(cases)('a database of $version, $way', ({ version, isRestored, fill }) => {
  it('shows its organizers, who sign in with their old passwords, exactly what they saw', async () => {
    const { about, signIn } = await startOn(version, fill)
    for (const who of ['olivia', 'otto'] as const) {
      const client = await signIn(who)
      for (const collection of collections) {
        const { documents, checkpoint } = await pull(client, collection)
        const recorded = pulledOf(version, who, collection)
        expect(Object.keys(recorded)).not.toEqual([])
        expect(Object.keys(byKey(documents)).toSorted()).toEqual(Object.keys(recorded).toSorted())
        // A later version may say more of something, but nothing else of what was said.
        expect(byKey(documents)).toMatchObject(recorded)
        expect(checkpoint.epoch === about.epoch).toBe(!isRestored)
      }
    }
  })

  it('presents what is in its rows as it was presented', async () => {
    const { server, now, signIn } = await startOn(version, fill)
    await server.db.transaction((trx) => publishEverything(trx, now()))
    for (const who of ['olivia', 'otto'] as const) {
      const client = await signIn(who)
      for (const collection of collections) {
        const { documents } = await pull(client, collection)
        const recorded = Object.entries(pulledOf(version, who, collection))
        const anew = recorded.map(([key, { version: _version, ...said }]) => [key, said] as const)
        expect(byKey(documents)).toMatchObject(Object.fromEntries(anew))
      }
    }
  })

  it('answers a change that it had answered as it did then, and does it no second time', async () => {
    const { server, about, signIn } = await startOn(version, fill)
    const before = await truthOf(server.db)
    const lines = await offerAgain(version, {
      null: server.client({ id: about.visitorDeviceId }),
      [about.oliviaId]: await signIn('olivia'),
    })
    expect(lines).toEqual(answeredOf(version).map(({ answer }) => answer))
    expect(lines.length).toBeGreaterThan(15)
    expect(await truthOf(server.db)).toEqual(before)
  })

  it('takes new changes, which come after the old ones', async () => {
    const { server, signIn } = await startOn(version, fill)
    const olivia = await signIn('olivia')
    const before = await pull(olivia, 'applications')
    const bo = before.documents.find((document) => 'email' in document && document.email === 'bo.frost@example.com')!
    const decided = await olivia.call('decideApplication', {
      params: { beaconId: bo.key },
      body: { status: 'approved' },
    })
    expect(decided.status, decided.text).toBe(200)
    expect(Number(decided.headers.get(wire.version))).toBe(before.checkpoint.version + 1)
    const after = await pull(olivia, 'applications')
    expect(byKey(after.documents)[bo.key]).toMatchObject({ status: 'approved', decisionNumber: 1 })
    const mail = await server.db('mails').where({ kind: 'decision', toAddress: 'bo.frost@example.com' })
    expect(mail.map(({ state }) => state)).toEqual(['held'])
  })

  it('opens the own pages of its applicants', async () => {
    const { server } = await startOn(version, fill)
    const applied = answeredOf(version).filter(({ asked }) => asked.route === 'applyAsBeacon')
    const statuses = []
    for (const { answer } of applied) {
      const { token } = answer.body as { token: string }
      const page = await server.call('getOwnApplication', { headers: { [wire.applicationToken]: token } })
      statuses.push(page.status)
    }
    // The event of the third was deleted.
    expect(statuses).toEqual([200, 200, 404])
  })
})

describe.each(recordedVersions)('a database of %s, opened where it was', (version) => {
  const fill = ways[0]!.fill

  it('keeps everybody signed in who was, and nobody who was signed out', async () => {
    const { server, about } = await startOn(version, fill)
    const cookie = about.oliviaCookie
    expect(
      (await server.client().request('GET', requestFor('getUser').url, { headers: { cookie } })).body,
    ).toMatchObject({
      id: about.oliviaId,
      email: 'olivia@example.com',
    })
    const sessions = await server.db('sessions').select('userId', 'revokedAt')
    expect(sessions.filter((session) => session.revokedAt !== null)).toHaveLength(1)
    expect(sessions.filter((session) => session.revokedAt === null).length).toBeGreaterThan(2)
    expect(await server.db('push_subscriptions').pluck('deviceName')).toContain("Olivia's tablet")
  })

  it('sends the mails that waited, each once', async () => {
    const { server, now } = await startOn(version, fill)
    const post = await openMailPost(() => server.db)
    closing.push(() => post.close())
    const waiting = await server.db('mails').whereIn('state', ['held', 'queued']).pluck('id')
    expect(waiting.length).toBeGreaterThan(5)
    const later = new Date(now().getTime() + 3_600_000)
    const arrived = (await post.deliver(later)).flatMap(({ to }) => to)
    const mails = await server.db('mails').whereIn('id', waiting).select('state', 'toAddress')
    const sent = mails.filter(({ state }) => state === 'sent').map((mail) => mail.toAddress)
    expect(arrived.toSorted()).toEqual(sent.toSorted())
    // Whoever withdrew, or was decided about back and forth, hears nothing.
    const unsent = mails.filter(({ state }) => state !== 'sent').map((mail) => `${mail.toAddress} ${mail.state}`)
    expect(unsent.toSorted()).toEqual(['bo.blue@example.com cancelled', 'bo@example.com cancelled'])
    expect(await post.deliver(later)).toEqual([])
  })
})
