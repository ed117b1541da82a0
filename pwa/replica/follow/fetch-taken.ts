import type { Collection } from '#shared/sync/replication-calls.ts'
import type { Entry } from '../../outbox/entry.ts'
import { collectionsOf, type Progress } from './progress.ts'

interface TakenTerms {
  readonly progress: Pick<Progress, 'appliedVersion'>
  readonly fetchSoon: (names: readonly Collection[]) => void
  /** Lets go of what the replica holds already. */
  readonly settle: () => void
}

/**
 * Looks at an account's queue each time it changed: what the server took is fetched at once, whatever the stream is doing. Once
 * per answer, because the queue changes many times while hundreds of changes leave. What the stream brought before its answer
 * came is settled.
 */
export function createTakenWatch({ progress, fetchSoon, settle }: TakenTerms): (account: readonly Entry[]) => void {
  let fetchedFor = { version: 0, unversioned: 0 }
  return (account) => {
    const taken = account.filter(({ acknowledged }) => acknowledged !== undefined)
    if (taken.length === 0) return
    const version = Math.max(0, ...taken.map(({ acknowledged }) => acknowledged?.version ?? 0))
    const unversioned = Math.max(0, ...taken.map(({ acknowledged, seq }) => (acknowledged?.version == null ? seq : 0)))
    const isBehind = version > progress.appliedVersion() && version > fetchedFor.version
    if (isBehind || unversioned > fetchedFor.unversioned) {
      fetchedFor = { version, unversioned }
      fetchSoon(collectionsOf('org'))
    } else if (version <= progress.appliedVersion()) settle()
  }
}
