import type { Entry, NewEntry, Receipt, Settled } from '../entry.ts'
import {
  type Change,
  type DeviceIdentity,
  type MetaRow,
  outboxDatabaseName,
  type OutboxStorage,
  type OutboxStore,
  outboxTables,
  outboxVersion,
  ownerOf,
  type Row,
  type Seen,
  toEntry,
  toRow,
} from './outbox-store.ts'
import { isDeadConnection } from '../../../browser/storage-errors.ts'

const channelOf = (name: string) => `${name} written`

export interface OutboxDatabase extends OutboxStorage {
  /** Returns undefined where there is no database. */
  read<T>(table: keyof typeof outboxTables, ask: (table: IDBObjectStore) => IDBRequest<T>): Promise<T | undefined>
  /** Runs one transaction over all tables: it is on disk when it resolves, and nothing is done when it rejects. */
  transact<T>(body: (tables: Tables) => Promise<T>): Promise<T>
  /**
   * Hears of writes of other pages and the worker, too.
   * @returns a function that ends it
   */
  onWritten(listener: () => void): () => void
  close(): void
}

/**
 * A connection that died is opened again once per use. A missing database is an empty queue, and any version is used as
 * it is.
 * @param keepsOpen false for the worker, which may be stopped at any moment: it closes its connection after each use
 */
export function openOutboxDatabase(name = outboxDatabaseName, { keepsOpen = true } = {}): OutboxDatabase {
  const channel = new BroadcastChannel(channelOf(name))
  const listeners = new Set<() => void>()
  let isClosed = false
  let opened: Promise<IDBDatabase | null> | undefined

  function forget(): void {
    opened = undefined
  }

  function notifyListeners(): void {
    for (const listener of listeners) listener()
  }

  function keep(opening: Promise<IDBDatabase | null>): Promise<IDBDatabase | null> {
    const kept = opening.then(
      (database) => {
        if (database) {
          database.onversionchange = ({ newVersion }) => {
            forget()
            database.close()
            if (newVersion === null) notifyListeners()
          }
          // The browser cleared the storage: what the page showed as saved is not.
          database.onclose = () => {
            forget()
            notifyListeners()
          }
        } else if (opened === kept) forget()
        return database
      },
      (error: unknown) => {
        forget()
        throw error
      },
    )
    opened = kept
    return kept
  }

  const find = () => opened ?? keep(openAt(name, undefined))

  async function findOrMake(): Promise<IDBDatabase> {
    const database = (await find()) ?? (await keep(openAt(name, outboxVersion))) ?? (await find())
    if (!database) throw new Error('The queue could not be opened')
    return database
  }

  let running = 0

  async function surviving<T>(run: () => Promise<T>): Promise<T> {
    running += 1
    try {
      return await run()
    } catch (error) {
      if (!isDeadConnection(error)) throw error
      forget()
      return await run()
    } finally {
      running -= 1
      if (!keepsOpen && running === 0) disconnect()
    }
  }

  function disconnect(): void {
    void opened?.then((database) => database?.close()).catch(() => undefined)
    forget()
  }

  async function read<T>(
    table: keyof typeof outboxTables,
    ask: (table: IDBObjectStore) => IDBRequest<T>,
  ): Promise<T | undefined> {
    return await surviving(async () => {
      const database = await find()
      return database ? await answerOf(ask(database.transaction(table).objectStore(table))) : undefined
    })
  }

  /** Called after the commit: a failure here must not look like a failed write. */
  function notifyChanged(): void {
    if (isClosed) return
    channel.postMessage(null)
    notifyListeners()
  }

  const store: OutboxStore = {
    change: async (lanes, decide) => {
      const { change, added } = await surviving(async () => {
        let database = await find()
        if (!database) {
          const looked = decide({ entries: [], account: undefined })
          if (!keepsSomething(looked)) return { change: looked, added: [] }
          database = await findOrMake()
        }
        return await write(database, (tables) => changeIn(tables, lanes, decide))
      })
      if (changesEntries(change)) notifyChanged()
      return { result: change.result, added }
    },
    entriesOf: async (userId) =>
      ((await read('entries', (table) => table.index('owner').getAll(ownerOf(userId)) as IDBRequest<Row[]>)) ?? []).map(
        toEntry,
      ),
    receipts: async () => (await read('receipts', (table) => table.getAll() as IDBRequest<Receipt[]>)) ?? [],
    settled: async (userId) =>
      (await read('settled', (table) => table.index('userId').getAll(userId) as IDBRequest<Settled[]>)) ?? [],
  }

  const transact = <T>(body: (tables: Tables) => Promise<T>): Promise<T> =>
    surviving(async () => await write(await findOrMake(), body))

  return {
    store,
    read,
    transact: async (body) => {
      const result = await transact(body)
      notifyChanged()
      return result
    },
    device: (make) =>
      transact(async ({ meta }) => {
        const known = (await valueOf(meta, 'device')) as DeviceIdentity | undefined
        if (known) return known
        const made = make()
        meta.put({ name: 'device', value: made } satisfies MetaRow)
        return made
      }),
    onWritten(listener) {
      listeners.add(listener)
      channel.onmessage = notifyListeners
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) channel.onmessage = null
      }
    },
    close() {
      disconnect()
      isClosed = true
      channel.close()
      listeners.clear()
    },
  }
}

const keepsSomething = ({ put, add, remove, receipts, settled, unkept, account }: Change<unknown>) =>
  [put, add, remove, receipts, settled, unkept].some((part) => part?.length) || account !== undefined

const changesEntries = ({ put, add, remove }: Change<unknown>) => [put, add, remove].some((part) => part?.length)

export type Tables = Readonly<Record<keyof typeof outboxTables, IDBObjectStore>>

async function changeIn<T>(
  { entries, receipts, meta, settled }: Tables,
  lanes: 'all' | readonly string[],
  decide: (seen: Seen) => Change<T>,
): Promise<{ change: Change<T>; added: Entry[] }> {
  // One reading of everything is faster than many.
  const wanted = new Set(lanes === 'all' ? [] : lanes)
  const readsAll = lanes === 'all' || wanted.size > 8
  const asked: Promise<Row[]>[] = readsAll
    ? [answerOf(entries.getAll())]
    : [...wanted].map((lane) => answerOf(entries.index('lane').getAll(lane)))
  const [account, ...found] = await Promise.all([
    valueOf(meta, 'account') as Promise<number | null | undefined>,
    ...asked,
  ])
  const change = decide({
    entries: found
      .flat()
      .filter(({ lane }) => lanes === 'all' || wanted.has(lane))
      .map(toEntry)
      .sort((one, other) => one.seq - other.seq),
    account,
  })
  for (const entry of change.put ?? []) entries.put(toRow(entry))
  for (const seq of change.remove ?? []) entries.delete(seq)
  for (const receipt of change.receipts ?? []) receipts.put(receipt)
  for (const kept of change.settled ?? []) settled.put(kept)
  for (const seq of change.unkept ?? []) settled.delete(seq)
  if (change.account !== undefined) meta.put({ name: 'account', value: change.account } satisfies MetaRow)
  const seqs = await Promise.all(
    (change.add ?? []).map((entry: NewEntry) => answerOf(entries.add(toRow(entry)) as IDBRequest<number>)),
  )
  return { change, added: (change.add ?? []).map((entry, index) => ({ ...entry, seq: seqs[index] as number })) }
}

export const valueOf = async (meta: IDBObjectStore, name: string): Promise<unknown> =>
  (await answerOf(meta.get(name) as IDBRequest<MetaRow | undefined>))?.value

export function answerOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error as DOMException)
  })
}

function write<T>(database: IDBDatabase, body: (tables: Tables) => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const names = Object.keys(outboxTables)
    const transaction = database.transaction(names, 'readwrite', { durability: 'strict' })
    let outcome: { result: T } | undefined
    let failure: unknown
    transaction.oncomplete = () =>
      outcome ? resolve(outcome.result) : reject(new Error('The transaction ended before its work'))
    transaction.onabort = () =>
      reject(failure ?? transaction.error ?? new DOMException('The transaction was given up', 'AbortError'))
    const tables = Object.fromEntries(names.map((table) => [table, transaction.objectStore(table)]))
    body(tables as unknown as Tables).then(
      (result) => (outcome = { result }),
      (error: unknown) => {
        failure = error
        try {
          transaction.abort()
        } catch {
          // A request that failed has ended it already.
          reject(error)
        }
      },
    )
  })
}

/**
 * @param version undefined takes the database as it is
 * @returns null when there is none, or a page has made a newer one
 */
function openAt(name: string, version: number | undefined): Promise<IDBDatabase | null> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, version)
    let isAbsent = false
    request.onupgradeneeded = () => {
      isAbsent = version === undefined
      if (isAbsent) request.transaction?.abort()
      else makeTables(request.result)
    }
    request.onsuccess = () => resolve(request.result)
    request.onerror = () =>
      isAbsent || request.error?.name === 'VersionError' ? resolve(null) : reject(request.error as DOMException)
  })
}

function makeTables(database: IDBDatabase): void {
  for (const [table, description] of Object.entries(outboxTables)) makeTable(database, table, description)
}

function makeTable(database: IDBDatabase, table: string, description: string): void {
  const [key = '', ...indexes] = description.split(/,\s*/)
  const made = database.createObjectStore(table, {
    keyPath: key.replace('++', ''),
    autoIncrement: key.startsWith('++'),
  })
  for (const index of indexes) {
    const path = index.replace('&', '')
    made.createIndex(path, path.startsWith('[') ? path.slice(1, -1).split('+') : path, {
      unique: index.startsWith('&'),
    })
  }
}
