import { Dexie, type Table } from 'dexie'
import type { Entry, Receipt, Settled } from '../entry.ts'
import {
  isDeadConnection,
  outboxDatabaseName,
  outboxTables,
  outboxVersion,
  ownerOf,
  toEntry,
  toRow,
  type MetaRow,
  type Row,
} from './outbox-shape.ts'
import type { DeviceIdentity, Lease, OutboxStorage, OutboxStore } from './outbox-store.ts'
import { storageStands } from './storage-gate.ts'

interface Tables {
  readonly entries: Table<Row, number>
  readonly receipts: Table<Receipt, string>
  readonly meta: Table<MetaRow, string>
  readonly settled: Table<Settled, number>
}

export type OutboxDatabase = Dexie & Tables

/** What makes a browser say that its disk is full; some wrap it in an AbortError. */
export function isQuotaError(error: unknown): boolean {
  for (let depth = 0, inner = error; depth < 5 && typeof inner === 'object' && inner !== null; depth++) {
    const { name, message } = inner as { name?: unknown; message?: unknown; inner?: unknown }
    if (name === 'QuotaExceededError' || (typeof message === 'string' && message.includes('QuotaExceeded'))) return true
    inner = (inner as { inner?: unknown }).inner
  }
  return false
}

/** Opens the outbox's own database. What it resolves is on disk, not in the browser's good intentions. */
export function openOutboxDatabase(name = outboxDatabaseName): OutboxDatabase {
  const database = new Dexie(name, { chromeTransactionDurability: 'strict' }) as OutboxDatabase
  database.version(outboxVersion).stores(outboxTables)
  return database
}

/** The queue in IndexedDB, by way of Dexie. A connection that died in the background is opened again, once for each use. */
export function createDexieStore(database: OutboxDatabase): OutboxStore {
  async function surviving<T>(run: () => Promise<T>): Promise<T> {
    try {
      return await run()
    } catch (error) {
      if (!isDeadConnection(error)) throw error
      database.close({ disableAutoOpen: false })
      await database.open()
      return await run()
    }
  }

  /** By seq. A look-up steps from lane to lane with a request each; beyond a few, reading everything at once is faster. */
  async function entriesIn(lanes: readonly string[]): Promise<Row[]> {
    if (lanes.length <= 8) return await database.entries.where('lane').anyOf(lanes).sortBy('seq')
    const wanted = new Set(lanes)
    return (await database.entries.toArray()).filter(({ lane }) => wanted.has(lane))
  }

  const readMeta = async (name: string) => (await database.meta.get(name))?.value

  return {
    change: async (lanes, decide) => {
      await storageStands()
      return await surviving(() =>
        database.transaction('rw', database.entries, database.receipts, database.meta, database.settled, async () => {
          const rows =
            lanes === 'all' ? await database.entries.toArray() : lanes.length === 0 ? [] : await entriesIn(lanes)
          const lease = (await readMeta('lease')) as Lease | undefined
          const account = (await readMeta('account')) as number | null | undefined
          const change = decide({ entries: rows.map(toEntry), lease, account })
          if (change.put?.length) await database.entries.bulkPut(change.put.map(toRow))
          if (change.remove?.length) await database.entries.bulkDelete([...change.remove])
          const added: Entry[] = []
          for (const entry of change.add ?? []) added.push({ ...entry, seq: await database.entries.add(toRow(entry)) })
          if (change.receipts?.length) await database.receipts.bulkPut([...change.receipts])
          if (change.settled?.length) await database.settled.bulkPut([...change.settled])
          if (change.unkept?.length) await database.settled.bulkDelete([...change.unkept])
          if (change.lease !== undefined) await database.meta.put({ name: 'lease', value: change.lease ?? undefined })
          if (change.account !== undefined) await database.meta.put({ name: 'account', value: change.account })
          return { result: change.result, added }
        }),
      )
    },
    entriesOf: (userId) =>
      surviving(async () => (await database.entries.where('owner').equals(ownerOf(userId)).sortBy('seq')).map(toEntry)),
    lease: () => surviving(async () => (await readMeta('lease')) as Lease | undefined),
    receipts: () => surviving(() => database.receipts.toArray()),
    settled: (userId) => surviving(() => database.settled.where('userId').equals(userId).sortBy('seq')),
  }
}

/**
 * Whether the browser has thrown this device's saved changes away since the last start: the row that every start leaves
 * behind is missing though `startedBefore` (kept elsewhere, such as in localStorage) says there was one.
 */
export async function storageWasCleared(database: OutboxDatabase, startedBefore: boolean): Promise<boolean> {
  return await database.transaction('rw', database.meta, async () => {
    const sentinel = await database.meta.get('sentinel')
    if (!sentinel) await database.meta.put({ name: 'sentinel', value: true })
    return startedBefore && !sentinel
  })
}

/** This device's number and name; made at first use. */
export async function deviceIdentity(database: OutboxDatabase, make: () => DeviceIdentity): Promise<DeviceIdentity> {
  return await database.transaction('rw', database.meta, async () => {
    const known = (await database.meta.get('device'))?.value as DeviceIdentity | undefined
    if (known) return known
    const made = make()
    await database.meta.put({ name: 'device', value: made })
    return made
  })
}

/** The queue and the device's identity as a page keeps them. */
export function dexieStorage(database: OutboxDatabase): OutboxStorage {
  return { store: createDexieStore(database), device: (make) => deviceIdentity(database, make) }
}

/** Gives this device the name its owner wants to see in the history. */
export async function renameDevice(database: OutboxDatabase, name: string): Promise<void> {
  await database.transaction('rw', database.meta, async () => {
    const known = (await database.meta.get('device'))?.value as DeviceIdentity | undefined
    if (known) await database.meta.put({ name: 'device', value: { ...known, name } })
  })
}

/** Removes an account's changes from this device (signing out with "discard"). */
export async function forgetAccount(database: OutboxDatabase, userId: number): Promise<void> {
  await database.entries.where('owner').equals(userId).delete()
}

/** Removes what is kept of an account's settled changes (signing out). */
export async function forgetSettled(database: OutboxDatabase, userId: number): Promise<void> {
  await database.settled.where('userId').equals(userId).delete()
}
