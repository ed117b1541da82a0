import { type Collection, collections, collectionScope, type Scope } from '#shared/sync/collections.ts'
import type { FeedPosition, Poke } from '#shared/sync/replication-calls.ts'
import type { Entry } from '../queue/entry.ts'

const none: ReadonlySet<number> = new Set()

export const collectionsOf = (scope: Scope): Collection[] =>
  collections.filter((name) => collectionScope[name] === scope)

/** The version up to which each collection is written; missing: never pulled. */
export type Heads = Readonly<Partial<Record<Collection, number>>>

/** A poke vouches for the collections it leaves out. `behind`: those to be pulled. */
export function withPoke(heads: Heads, poke: Poke): { readonly heads: Heads; readonly behind: readonly Collection[] } {
  const { scope, version, since, collections: named } = poke
  const next: Partial<Record<Collection, number>> = { ...heads }
  const behind = collectionsOf(scope).filter((name) => {
    const head = heads[name]
    if (head !== undefined && head >= version) return false
    const isUntouched = head !== undefined && since !== undefined && head >= since && !named?.includes(name)
    if (isUntouched) next[name] = version
    return !isUntouched
  })
  return { heads: next, behind }
}

/** The poke's collections are complete up to its version, and it vouches for the others. */
export function withCarried(heads: Heads, poke: Poke): Heads {
  const next: Partial<Record<Collection, number>> = { ...heads }
  for (const name of poke.collections ?? []) next[name] = Math.max(poke.version, heads[name] ?? 0)
  return withPoke(next, poke).heads
}

export type Progress = ReturnType<typeof createProgress>

export function createProgress() {
  let heads: Heads = {}
  const seenBefore = new Map<Collection, ReadonlySet<number>>()
  return {
    heads: () => heads,
    isComplete: () => collections.every((name) => heads[name] !== undefined),
    /** Up to this version everything of the organizer's scope is written. */
    appliedVersion: () => Math.min(...collectionsOf('org').map((name) => heads[name] ?? 0)),
    reach(reached: Heads) {
      heads = reached
    },
    /** @param asked the entries acknowledged before the pull began */
    pulled(name: Collection, asked: ReadonlySet<number>) {
      seenBefore.set(name, asked)
    },
    /** Never goes back. */
    follow(written: Heads) {
      const next: Partial<Record<Collection, number>> = { ...heads }
      for (const [name, head] of Object.entries(written) as [Collection, number][])
        next[name] = Math.max(head, heads[name] ?? 0)
      heads = next
    },
    /**
     * Entries acknowledged before the newest pull of every collection of the organizer's scope: only their absence
     * counts.
     */
    pulledSince(): ReadonlySet<number> {
      const [first, ...others] = collectionsOf('org').map((name) => seenBefore.get(name) ?? none)
      return new Set([...(first ?? none)].filter((seq) => others.every((other) => other.has(seq))))
    },
  }
}

interface AcknowledgedTerms {
  readonly progress: Pick<Progress, 'appliedVersion'>
  readonly fetchSoon: (names: readonly Collection[]) => void
  readonly settle: () => void
}

/**
 * Fetches what the server took, once per answer, whatever the stream is doing. A change whose document came before its
 * answer is settled.
 */
export function watchAcknowledged({
  progress,
  fetchSoon,
  settle,
}: AcknowledgedTerms): (account: readonly Entry[]) => void {
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

/**
 * The newest checkpoint of each scope in this tab. A poke's documents are written only where they continue it: after a
 * gap, or in a history that the database has left, a pull finds the truth.
 */
export function createCheckpoints() {
  const newest = new Map<Scope, Omit<FeedPosition, 'epoch'>>()
  return {
    pulled(name: Collection, position: Omit<FeedPosition, 'epoch'>) {
      const scope = collectionScope[name]
      if (position.version >= (newest.get(scope)?.version ?? 0)) newest.set(scope, position)
    },
    isContinuedBy: ({ scope, carried }: Poke) =>
      carried !== undefined && carried.from === newest.get(scope)?.checkpoint,
    written({ scope, version, carried }: Poke) {
      if (carried) newest.set(scope, { version, checkpoint: carried.to })
    },
  }
}
