import Dexie from 'dexie'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Collection } from '#shared/sync/collections.ts'
import { serverEpoch } from '../http/reachability.ts'
import { noteServerDate } from '../http/server-time.ts'
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
}
const documents: Record<Collection, object[]> = {
  events: [eventDocument(12, { version: 3 })],
  applications: [applicationDocument(7, 12, { version: 4 })],
  account: [],
}
const refusal = (status: number, problem: object) =>
  new Response(JSON.stringify({ message: 'No', requestId: 'r', ...problem }), { status, headers: ours })
const reset = (reason: string, epoch: string) => refusal(410, { code: 'reset', current: { reason, epoch } })

async function answer(address: string, { signal }: { signal: AbortSignal }): Promise<Response> {
  const { pathname, searchParams } = new URL(address, 'http://localhost')
  // Nothing on the way lets a stream through: what is shown here came by pulls.
  if (pathname !== '/api/sync/pull') throw new TypeError('Failed to fetch')
  server.asked.push(searchParams)
  const instead = await server.instead(searchParams, signal)
  if (instead) return instead
  const { epoch } = server
  const page = {
    documents: documents[searchParams.get('collection') as Collection],
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
const copyOf = async (epoch: string, generation: number) => replicaName({ userId: account, epoch, generation })

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
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('the replica of an account', () => {
  it('that was never here is pulled whole, in the epoch the server says', async () => {
    start()
    await expect.poll(shown).toEqual(everything(first))
    await expect
      .poll(() => readSyncMeta(account))
      .toMatchObject({ epoch: first, heads: { events: 4, applications: 4 } })
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
    await expect.poll(() => readSyncMeta(account)).toMatchObject({ epoch: first, generation: 1, heads: { events: 4 } })
    await expect.poll(shown).toEqual(everything(first))
    const again = await copyOf(first, 1)
    await expect.poll(async () => (await copies()).every((name) => name.includes(again))).toBe(true)
    expect(offeredAgain.get()).toBe(offered)
    expect(await outboxStore.entriesOf(account)).toHaveLength(offered)
    expect(server.asked.length, 'one reset, and each collection once').toBeLessThanOrEqual(8)
  })

  it('that is damaged on the disk is begun anew, and what was settled is offered again', async () => {
    await start().pull()
    await open?.close()
    await keepSettled(first)
    const pages = await new Dexie(`rxdb-dexie-${await copyOf(first, 0)}--pages`).open()
    await pages.table('pages').clear()
    pages.close()
    start()
    await expect.poll(() => readSyncMeta(account)).toMatchObject({ epoch: first, generation: 1, heads: { events: 4 } })
    await expect.poll(shown).toEqual(everything(first))
    expect(await outboxStore.entriesOf(account), 'the server may have gone back meanwhile').toHaveLength(1)
  })

  it('offers again what waits by the clock of its queue, also where that one is a year off', async () => {
    await start().pull()
    await keepSettled(first)
    const inAYear = new Date(Date.now() + 400 * 86_400_000).toUTCString()
    noteServerDate(new Response(null, { headers: { 'X-Beaconry': '1', Date: inAYear } }), performance.now())
    server.instead = (query) => (query.get('checkpoint') === `${first}.4` ? reset('history', first) : undefined)
    await open?.pull()
    await expect.poll(() => outboxStore.entriesOf(account)).toHaveLength(1)
    const [offered] = await outboxStore.entriesOf(account)
    expect(Math.abs(Date.now() - offered!.again!.since)).toBeLessThan(60_000)
  })

  it('of another epoch goes, and everything of the new one comes', async () => {
    await start().pull()
    await keepSettled(first)
    server.epoch = second
    await open?.pull()
    await expect.poll(shown).toEqual(everything(second))
    expect(await outboxStore.entriesOf(account)).toMatchObject([{ state: 'queued', again: {} }])
  })

  it('without a word how far it had come says who it follows, and is pulled again', async () => {
    // The numbers are there and the documents are not: the browser threw those away.
    await writeSyncMeta({
      userId: account,
      epoch: first,
      heads: { events: 9, applications: 9, account: 9 },
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
    await writeSyncMeta({ userId: account, epoch: first, heads: {}, asOf: null })
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
    await expect.poll(() => replicaState.get().storageFails).toBe(true)
    expect(failures()).toBeGreaterThan(1)
    expect(await copies()).toEqual(before)
    vi.restoreAllMocks()
    server.instead = () => Promise.reject(new TypeError('Failed to fetch'))
    // As when the person comes back to the page; without it, the wait ends by itself.
    opened.resume()
    await expect.poll(() => shown().keys).toEqual(['12', '7'])
    await expect.poll(() => replicaState.get().storageFails).toBe(false)
  })

  it('that fails again and again keeps nobody from signing out', async () => {
    await writeSyncMeta({ userId: account, epoch: first, heads: {}, asOf: null })
    failToRead(Infinity)
    const opened = start()
    await expect.poll(() => replicaState.get().storageFails).toBe(true)
    await opened.close()
    expect(shown().status).toBe('loading')
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

  it('that is closed while it pulls shows nothing more, and whoever waits for the pull hears so at once', async () => {
    let hung = 0
    await writeSyncMeta({ userId: account, epoch: first, heads: {}, asOf: null })
    server.instead = () => {
      hung += 1
      return new Promise(() => undefined)
    }
    const opened = start()
    await expect.poll(() => hung).toBe(3)
    const pulling = opened.pull()
    await opened.close()
    replicaState.set(emptyReplica)
    expect(await pulling).toBe(false)
    expect(await opened.pull()).toBe(false)
    expect(shown()).toEqual({ status: 'closed', epoch: undefined, keys: [] })
  })
})
