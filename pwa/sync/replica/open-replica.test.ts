import { actFor } from '../../browser/acting.ts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { collectionsOf, type Collection, type Scope } from '#shared/sync/collections.ts'
import { serverEpoch } from '../http/reachability.ts'
import { storageTrouble } from '../../browser/storage-trouble.ts'
import { outboxStore } from '../queue/store/opened-outbox.ts'
import { applicationDocument, eventDocument } from '../testing/people.ts'
import { queuedEntry } from '../testing/queued-entry.ts'
import { offeredAgain } from './pending-entries.ts'
import type { OpenReplica } from '../follow/run-replica.ts'
import { openReplica } from './open-replica.ts'
import { replicaName } from './replica-names.ts'
import { emptyReplica, replicaState } from './replica-state.ts'
import { readSyncMeta, writeSyncMeta } from './sync-meta.ts'

// What Node 20 lacks of a browser. Without locks every tab follows for itself.
vi.hoisted(() => {
  const nothing = () => undefined
  const events = { addEventListener: nothing, removeEventListener: nothing }
  Object.assign(globalThis, { ...events, document: { ...events, visibilityState: 'visible' } })
})

const first = '3f1f3c4e-9b0a-4f3e-8a3c-0d8d6d6a1f10'
const second = '11111111-9b0a-4f3e-8a3c-0d8d6d6a1f10'
const ours = { 'X-Beaconry': '1' }

/** A server with one event and one application in it; each test says what it answers otherwise. */
const server = {
  epoch: first,
  /** An answer instead of a page; undefined = the page. */
  instead: (() => undefined) as (
    query: URLSearchParams,
    signal: AbortSignal,
  ) => Promise<Response> | Response | undefined,
  asked: [] as URLSearchParams[],
  /** The organizer that the newest pull of each scope was made for. */
  organizers: {} as Record<string, string | null>,
}
const documents: Record<Collection, object[]> = {
  events: [eventDocument(12, { version: 3 })],
  applications: [applicationDocument(7, 12, { version: 4 })],
  account: [],
}
const refusal = (status: number, problem: object) =>
  new Response(JSON.stringify({ message: 'No', requestId: 'r', ...problem }), { status, headers: ours })
const reset = (reason: string, epoch: string) => refusal(410, { code: 'reset', current: { reason, epoch } })

async function answer(
  address: string,
  { signal, headers }: { signal: AbortSignal; headers: Headers },
): Promise<Response> {
  const { pathname, searchParams } = new URL(address, 'http://localhost')
  // Nothing on the way lets a stream through: what is shown here came by pulls.
  if (pathname !== '/api/sync/pull') throw new TypeError('Failed to fetch')
  server.asked.push(searchParams)
  server.organizers[searchParams.get('scope') ?? ''] = headers.get('X-Organizer')
  const instead = await server.instead(searchParams, signal)
  if (instead) return instead
  const { epoch } = server
  const page = {
    documents: collectionsOf[searchParams.get('scope') as Scope].flatMap((collection) =>
      documents[collection].map((document) => ({ collection, ...document })),
    ),
    epoch,
    version: 4,
    checkpoint: `${epoch}.4`,
  }
  return new Response(JSON.stringify({ ...page, head: 4, more: false }), { headers: ours })
}

let account = 100
let open: OpenReplica | undefined

/** Opens the replica of an account as the page does that has just shown who is signed in. */
function start(): OpenReplica {
  replicaState.set({ ...emptyReplica, status: 'loading', userId: account })
  open = openReplica(account)
  return open
}
const shown = () => {
  const { status, epoch, events, applications } = replicaState.get()
  return { status, epoch, keys: [...events, ...applications].map(({ key }) => key) }
}
const everything = (epoch: string) => ({ status: 'ready', epoch, keys: ['12', '7'] })
const copies = async () =>
  (await indexedDB.databases()).flatMap(({ name }) =>
    name?.startsWith(`rxdb-dexie-beaconry-replica-${account}-`) ? [name] : [],
  )

/** A change that the server took in the first epoch and the replica has shown. */
async function keepSettled(epoch: string): Promise<void> {
  const sent = queuedEntry(crypto.randomUUID(), { attempts: 1 })
  const settled = [{ ...sent, userId: account, seq: account, epoch, settledAt: Date.now() }]
  await outboxStore.change([], () => ({ settled, result: 0 }))
}

beforeEach(() => {
  account += 1
  Object.assign(server, { epoch: first, instead: () => undefined, asked: [] })
  offeredAgain.set(0)
  serverEpoch.set(null)
  vi.stubGlobal('fetch', answer)
})
afterEach(async () => {
  await open?.close()
  actFor(null)
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('the replica of an account', () => {
  it('that was never here is pulled whole, in the epoch the server says', async () => {
    start()
    await expect.poll(shown).toEqual(everything(first))
    await expect.poll(() => readSyncMeta(account)).toMatchObject({ epoch: first, heads: { org: 4 } })
  })

  it.each([
    ['is the present one', first, first],
    ['is over meanwhile', first, second],
  ])('begins in the epoch that an earlier answer named; that %s', async (_, named, present) => {
    serverEpoch.set(named)
    server.epoch = present
    start()
    await expect.poll(shown).toEqual(everything(present))
    expect(server.asked.filter((query) => query.get('limit') === '1')).toEqual([])
  })

  it('is shown from the disk while nothing answers', async () => {
    await start().pull()
    await open?.close()
    server.instead = () => Promise.reject(new TypeError('Failed to fetch'))
    start()
    await expect.poll(() => shown().keys).toEqual(['12', '7'])
  })

  it.each([
    ['horizon', 0],
    ['history', 1],
  ])('that the server cannot go on with (%s) is begun anew, %i settled are offered', async (reason, offered) => {
    await start().pull()
    await keepSettled(first)
    server.instead = (query) => (query.get('checkpoint') === `${first}.4` ? reset(reason, first) : undefined)
    server.asked.length = 0
    expect(await open?.pull()).toBe(false)
    await expect
      .poll(() => readSyncMeta(account))
      .toMatchObject({ epoch: first, copy: expect.not.stringContaining(first), heads: { org: 4 } })
    await expect.poll(shown).toEqual(everything(first))
    const begun = replicaName((await readSyncMeta(account))!)
    await expect.poll(async () => (await copies()).every((name) => name.includes(begun))).toBe(true)
    expect(offeredAgain.get()).toBe(offered)
    expect(await outboxStore.entriesOf(account)).toHaveLength(offered)
    expect(server.asked.length, 'one reset, and each collection once').toBeLessThanOrEqual(8)
  })

  it('of another organizer or in another role is pulled whole under another name', async () => {
    await start().pull()
    const own = replicaName((await readSyncMeta(account))!)
    for (const role of ['door', 'reviewer'] as const) {
      await open?.close()
      actFor({ organizerId: 4, name: 'Lantern Street', role })
      server.asked.length = 0
      await start().pull()
      expect(await readSyncMeta(account)).toMatchObject({ team: `4 ${role}`, copy: expect.not.stringContaining(first) })
      expect(server.asked.find((query) => query.get('scope') === 'org')?.get('checkpoint')).toBeNull()
    }
    expect(server.organizers.org).toBe('4')
    expect(server.organizers.account, 'a membership that ended must not hide itself').toBeNull()
    await expect.poll(async () => (await copies()).some((name) => name.includes(own))).toBe(false)
  })

  it('without a word how far it had come says who it follows, and is pulled again', async () => {
    // The numbers are there and the documents are not: the browser threw those away.
    await writeSyncMeta({
      userId: account,
      epoch: first,
      copy: first,
      heads: { org: 9, account: 9 },
      asOf: null,
    })
    server.instead = () => Promise.reject(new TypeError('Failed to fetch'))
    start()
    expect(shown(), 'how far another copy had come says nothing of this one').toMatchObject({
      status: 'loading',
      keys: [],
    })
    server.instead = () => undefined
    await open?.pull()
    await expect.poll(shown).toEqual(everything(first))
  })
})

describe('opening', () => {
  const isCopy = (name: string) => name.startsWith(`rxdb-dexie-beaconry-replica-${account}-`)

  it.each(['open', 'read'] as const)('that fails once to %s is done once more', async (what) => {
    await writeSyncMeta({ userId: account, epoch: first, copy: first, heads: {}, asOf: null })
    const failures = what === 'open' ? failToOpen() : failToRead(1)
    await start().pull()
    expect(failures()).toBe(1)
    await expect.poll(shown).toEqual(everything(first))
  })

  it('that fails again and again says so, keeps what is on the disk, and goes on by itself', async () => {
    await start().pull()
    await open?.close()
    const before = await copies()
    expect(before).toHaveLength(1)
    const failures = failToRead(Infinity)
    const opened = start()
    await expect.poll(() => storageTrouble.get()).toBe('fails')
    expect(failures()).toBeGreaterThan(1)
    expect(await copies()).toEqual(before)
    await expect.poll(() => shown().status).toBe('ready')
    expect(shown().keys).toEqual(['12', '7'])
    vi.restoreAllMocks()
    server.instead = () => Promise.reject(new TypeError('Failed to fetch'))
    // As when the person comes back to the page; without it, the wait ends by itself.
    opened.resume()
    await expect.poll(() => shown().keys).toEqual(['12', '7'])
    await expect.poll(() => storageTrouble.get()).toBeNull()
  })

  it('that fails again and again keeps nobody from signing out', async () => {
    await writeSyncMeta({ userId: account, epoch: first, copy: first, heads: {}, asOf: null })
    failToRead(Infinity)
    const opened = start()
    await expect.poll(() => storageTrouble.get()).toBe('fails')
    await opened.close()
    expect(storageTrouble.get()).toBeNull()
  })

  /** The first opening of the copy fails. @returns how many did */
  function failToOpen(): () => number {
    const opening = indexedDB.open.bind(indexedDB)
    let failed = 0
    vi.spyOn(indexedDB, 'open').mockImplementation((name, version) => {
      if (!isCopy(name) || failed > 0) return opening(name, version)
      failed += 1
      throw new DOMException('Connection lost', 'InvalidStateError')
    })
    return () => failed
  }

  /** The copy opens and cannot be read, so many times. @returns how many were */
  function failToRead(times: number): () => number {
    const reading = Object.getOwnPropertyDescriptor(IDBObjectStore.prototype, 'getAll')!
      .value as IDBObjectStore['getAll']
    let failed = 0
    vi.spyOn(IDBObjectStore.prototype, 'getAll').mockImplementation(function (this: IDBObjectStore, ...range) {
      if (!isCopy(this.transaction.db.name) || failed === times) return reading.apply(this, range)
      failed += 1
      throw new DOMException('Disk error', 'UnknownError')
    })
    return () => failed
  }

  it('can be given up before the server has answered for the first time', async () => {
    let hung = 0
    server.instead = (_, signal) => {
      hung += 1
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
    }
    const opened = start()
    await expect.poll(() => hung).toBe(1)
    await opened.close()
    server.instead = () => undefined
    replicaState.set({ ...emptyReplica, status: 'loading', userId: account + 1 })
    await expect.poll(() => server.asked.length).toBe(1)
    expect(await copies(), 'nothing was made for somebody who is gone').toEqual([])
    expect(shown()).toEqual({ status: 'loading', epoch: undefined, keys: [] })
  })

  it('that is closed while it pulls shows nothing more, and tells whoever waits at once', async () => {
    let hung = 0
    await writeSyncMeta({ userId: account, epoch: first, copy: first, heads: {}, asOf: null })
    server.instead = () => {
      hung += 1
      return new Promise(() => undefined)
    }
    const opened = start()
    await expect.poll(() => hung).toBe(2)
    const pulling = opened.pull()
    await opened.close()
    replicaState.set(emptyReplica)
    expect(await pulling).toBe(false)
    expect(await opened.pull()).toBe(false)
    expect(shown()).toEqual({ status: 'closed', epoch: undefined, keys: [] })
  })
})
