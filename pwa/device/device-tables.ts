import Dexie, { type EntityTable } from 'dexie'
import { announceKeptData } from '../sync/index.ts'

interface Setting {
  name: string
  value: unknown
}

export interface KeptDraft<T = unknown> {
  /** The account and form, such as `user:7/event/new`, `visitor/apply/12`. */
  key: string
  value: T
  savedAt: string
}

/** Exists nowhere else. */
export const deviceDb = new Dexie('beaconry-device') as Dexie & {
  settings: EntityTable<Setting, 'name'>
  drafts: EntityTable<KeptDraft, 'key'>
}
deviceDb.version(1).stores({ settings: 'name', drafts: 'key' })
// An own application is kept as every answer is.
deviceDb.version(2).upgrade((transaction) =>
  transaction
    .table<{ name: string; value: { application?: unknown; asOf: string } }>('settings')
    .where('name')
    .startsWith('own-application/')
    .modify((row) => {
      const { application, ...kept } = row.value
      if (application) row.value = { ...kept, value: application } as never
    }),
)
announceKeptData()
