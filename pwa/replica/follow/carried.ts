import {
  collectionScope,
  type Checkpoint,
  type Collection,
  type Poke,
  type Scope,
} from '#shared/sync/replication-calls.ts'

/**
 * The newest place in each scope's history that this tab has pulled or been brought. The documents of a poke may be written
 * only where they continue it: after a gap, or in a history that the database has left since, a pull finds out what is true.
 */
export interface Places {
  /** A pull came to its end there. */
  pulled(name: Collection, checkpoint: Checkpoint): void
  /** Where a poke's documents lead to; undefined where they do not continue what is here. */
  continuedBy(poke: Poke): Checkpoint | undefined
  /** A poke's documents are written. */
  written(scope: Scope, checkpoint: Checkpoint): void
}

/** @param epoch the one the copy is of */
export function createPlaces(epoch: string): Places {
  const places = new Map<Scope, Checkpoint>()
  return {
    pulled(name, checkpoint) {
      const scope = collectionScope[name]
      if (checkpoint.version >= (places.get(scope)?.version ?? 0)) places.set(scope, checkpoint)
    },
    continuedBy({ scope, version, since, carried }) {
      const place = places.get(scope)
      if (!carried || !place || carried.epoch !== epoch) return undefined
      if (place.version !== since || (place.mark ?? null) !== carried.sinceMark) return undefined
      return { epoch, version, mark: carried.mark }
    },
    written: (scope, checkpoint) => void places.set(scope, checkpoint),
  }
}
