import { collections, collectionScope, type Collection, type Poke, type Scope } from '#shared/sync/replication-calls.ts'

/** How far the collections of a replica have come, and what that proves about acknowledged changes. */
export interface Progress {
  /** Up to which version a collection is written; undefined when it was never pulled. */
  head(name: Collection): number | undefined
  heads(): Readonly<Partial<Record<Collection, number>>>
  /** Every collection was pulled at least once. */
  isComplete(): boolean
  /** Up to which version everything of the organizer's scope is written. */
  appliedVersion(): number
  /** A finished pull: up to where, and which entries were acknowledged before it began. */
  pulled(name: Collection, head: number, asked: ReadonlySet<number>): void
  /** What the leading tab wrote down. Never goes back. */
  follow(heads: Readonly<Partial<Record<Collection, number>>>): void
  /** Takes a poke's word for the collections it leaves out. @returns those that are behind and are to be pulled */
  heard(poke: Poke): Collection[]
  /** Entries that were acknowledged before the newest finished pull of every collection of the organizer's scope began. */
  pulledSince(): ReadonlySet<number>
}

const nobody: ReadonlySet<number> = new Set()

/** The collections of a scope. */
export const collectionsOf = (scope: Scope): Collection[] =>
  collections.filter((name) => collectionScope[name] === scope)

/** A replica's progress, from nothing. */
export function createProgress(): Progress {
  const heads = new Map<Collection, number>()
  const seenBefore = new Map<Collection, ReadonlySet<number>>()
  return {
    head: (name) => heads.get(name),
    heads: () => Object.fromEntries(heads),
    isComplete: () => collections.every((name) => heads.has(name)),
    appliedVersion: () => Math.min(...collectionsOf('org').map((name) => heads.get(name) ?? 0)),
    pulled(name, head, asked) {
      heads.set(name, head)
      seenBefore.set(name, asked)
    },
    follow(written) {
      for (const [name, head] of Object.entries(written) as [Collection, number][])
        heads.set(name, Math.max(head, heads.get(name) ?? 0))
    },
    heard({ scope, version, since, collections: named }) {
      return collectionsOf(scope).filter((name) => {
        const head = heads.get(name)
        if (head !== undefined && head >= version) return false
        const isUntouched = head !== undefined && since !== undefined && head >= since && !named?.includes(name)
        if (isUntouched) heads.set(name, version)
        return !isUntouched
      })
    },
    pulledSince() {
      // Only when every collection was asked after the acknowledgement does its absence mean anything.
      const [first, ...others] = collectionsOf('org').map((name) => seenBefore.get(name) ?? nobody)
      return new Set([...(first ?? nobody)].filter((seq) => others.every((other) => other.has(seq))))
    },
  }
}
