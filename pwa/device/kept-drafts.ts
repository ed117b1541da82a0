import { useLiveQuery } from 'dexie-react-hooks'
import { deviceDb } from './device-tables.ts'
import type { KeptDraft } from './left-drafts.ts'

/** Lists the drafts of any tab, newest first. */
export function useKeptDrafts<T>(...prefixes: readonly string[]): {
  readonly status: 'loading' | 'ready'
  readonly drafts: readonly KeptDraft<T>[]
} {
  const wanted = prefixes.join(' ')
  const found = useLiveQuery(async () => ({ wanted, drafts: await newestFirst<T>(wanted.split(' ')) }), [wanted])
  return found?.wanted === wanted ? { status: 'ready', drafts: found.drafts } : { status: 'loading', drafts: [] }
}

/** Empty when the disk fails: the form says so. */
async function newestFirst<T>(prefixes: readonly string[]): Promise<readonly KeptDraft<T>[]> {
  const rows = await deviceDb.drafts
    .where('key')
    .startsWithAnyOf([...prefixes])
    .toArray()
    .catch(() => [])
  return rows.toSorted((one, other) => other.savedAt.localeCompare(one.savedAt)) as KeptDraft<T>[]
}

/** @throws when the disk refuses it */
export async function keepDraft(draft: Readonly<KeptDraft>): Promise<void> {
  await deviceDb.drafts.put({ ...draft })
}

export async function dropDraft(key: string): Promise<void> {
  await deviceDb.drafts.delete(key)
}
