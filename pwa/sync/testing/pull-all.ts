import type { Tombstone } from '#shared/sync/replication-calls.ts'
import { pullPages, type PullEnd, type PullTerms } from '../follow/pull.ts'

type PullOutcome<D> =
  | (Extract<PullEnd, { kind: 'pulled' }> & {
      /** Each document once, in its newest version, sorted by key. */
      readonly documents: (D | Tombstone)[]
    })
  | Exclude<PullEnd, { kind: 'pulled' }>

/** A pull as one piece: nothing of one that breaks off is handed over. */
export async function pullAll<D extends { readonly key: string; readonly version: number }>(
  terms: PullTerms<D>,
): Promise<PullOutcome<D>> {
  const byKey = new Map<string, D | Tombstone>()
  const end = await pullPages(terms, ({ documents }) => {
    // A document that changed between two pages comes twice: the later one is newer.
    for (const document of documents) byKey.set(document.key, document)
  })
  if (end.kind !== 'pulled') return end
  const documents = [...byKey.values()].sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
  return { ...end, documents }
}
