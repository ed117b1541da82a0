import type { DBCore, DBCoreTable, Dexie, Table } from 'dexie'
import type { RxCollection } from 'rxdb'
import { getRxStorageDexie } from 'rxdb/plugins/storage-dexie'

/** RxDB's default index, by which every query of ours goes. */
const byDeletedAndKey = '[_deleted+key]'

/** Changes when the tables below do: another layout is another database. */
export const storageLayout = `key, ${byDeletedAndKey}`

/** From so many keys on, asking which of them exist costs less than asking for each. */
const manyKeys = 200

/**
 * RxDB's storage on Dexie with two costs less. RxDB keeps two indexes over the time of the last write, which replications
 * that push and the clean-up of deleted documents need: there is neither here, and each index costs every write. And before
 * a write RxDB asks for every document by its key, ten thousand requests to learn that an empty table is empty.
 * @param replicated whether a Dexie database holds one of our collections; RxDB's own are left alone
 */
export function replicaStorage(replicated: (databaseName: string) => boolean): ReturnType<typeof getRxStorageDexie> {
  return getRxStorageDexie({
    onCreate(database: Dexie, databaseName: string) {
      openOnceMore(database)
      if (!replicated(databaseName)) return
      // RxDB describes its tables as version 1; of two versions Dexie makes the later one at once.
      database.version(2).stores({ docs: storageLayout })
      database.use({ stack: 'dbcore', name: 'many-keys', create: askForMany })
    },
  })
}

/**
 * IndexedDB dies now and then in an app that was in the background; once more usually works. It has to be here: RxDB remembers
 * an opening that failed for as long as the page lives, and answers every later one with it.
 */
function openOnceMore(database: Dexie): void {
  const open = database.open.bind(database)
  database.open = () => open().catch(() => open())
}

function askForMany(core: DBCore): DBCore {
  return { ...core, table: (name) => askingForMany(core.table(name)) }
}

function askingForMany(table: DBCoreTable): DBCoreTable {
  return {
    ...table,
    async getMany(request) {
      const { trans, keys } = request
      if (keys.length < manyKeys) return await table.getMany(request)
      const [first, ...others] = keys as string[]
      if (first === undefined) return []
      let lower = first
      let upper = first
      for (const key of others) {
        if (key < lower) lower = key
        else if (key > upper) upper = key
      }
      const range = { type: rangeBetween, lower, upper }
      const { result } = await table.query({ trans, values: false, query: { index: table.schema.primaryKey, range } })
      const present = new Set(result as string[])
      const wanted = (keys as string[]).filter((key) => present.has(key))
      const found = wanted.length === 0 ? [] : await table.getMany({ ...request, keys: wanted })
      const byKey = new Map(wanted.map((key, index) => [key, found[index] as unknown]))
      return keys.map((key) => byKey.get(key as string))
    },
  }
}

/** Dexie's `DBCoreRangeType.Range`, which its types declare and its code does not export. */
const rangeBetween = 2

/**
 * All documents of a collection that are not deleted, as they are stored, in one request: a query of RxDB's goes over them
 * one by one with a cursor.
 */
export async function readStored<D>(collection: RxCollection<D>): Promise<(D & { readonly key: string })[]> {
  const { dexieTable } = await (collection.storageInstance.internals as Promise<{ readonly dexieTable: Table }>)
  return await dexieTable.where('[_deleted+key]').between(['0', ''], ['0', '\uffff']).toArray()
}
