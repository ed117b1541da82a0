import { stateOf, stateOfBasis } from '#shared/record/basis.ts'
import type { Entry } from '../entry.ts'
import { findKnown } from './mutations.ts'

type Args = Pick<Entry, 'args'>

/** The basis is the key of another change of this device, or the `basis` of a document. */
export const basisOf = ({ args }: Args): string | null | undefined => basisIn(args)

export function basisIn(value: unknown): string | null | undefined {
  const basis = typeof value === 'object' && value !== null ? (value as { readonly basis?: unknown }).basis : undefined
  return basis === null || typeof basis === 'string' ? basis : undefined
}

export const isConflict = ({ refusal }: Pick<Entry, 'refusal'>) =>
  refusal?.problem.code === 'conflict' || refusal?.problem.code === 'unknown_basis'

/**
 * Whether the next change was made on top of it: of a refused change, or a discarded one that may have left, the row
 * shows the server's state.
 */
export const isShownAsDone = (entry: Entry) =>
  entry.state !== 'parked' && entry.state !== 'blocked' && !entry.discarding

/**
 * Makes a change behind others of its lane on the latest of them. The screen may not show the last tap yet, so what was
 * made on any of the lane is made on its latest change.
 * @param lane the lane's entries, by seq
 */
export function withLaneBasis<A>(args: A, lane: readonly Entry[]): A {
  const given = basisIn(args)
  const shown = lane.filter((entry) => isShownAsDone(entry) && findKnown(entry)?.mutation.changesState)
  const latest = shown.at(-1)
  if (given === undefined || !latest) return args
  const state = stateOfBasis(given)
  const isMadeHere = shown.some((entry) => entry.key === given || stateOfBasis(basisOf(entry) ?? null) === state)
  return isMadeHere ? { ...args, basis: latest.key } : args
}

/**
 * When a change gets another key, or leaves the queue without having happened: those made on it get its new key, or its
 * basis.
 */
export function rebaseDependents(entries: readonly Entry[], former: Entry, basis: string | null | undefined): Entry[] {
  const formerState = stateOf(former.key)
  if (basis === undefined || stateOfBasis(basis) === formerState) return []
  return entries
    .filter((entry) => [former.key, formerState].includes(basisOf(entry) ?? ''))
    .map((entry) => ({ ...entry, args: { ...(entry.args as object), basis } }))
}

export function createBasisIndex(): {
  record(entry: Entry): void
  /** The change leaves the state that it finds. */
  keep(key: string, state: string | null): void
  appliesTo(basis: string | null | undefined, present: string | null | undefined): boolean
} {
  const left = new Map<string, string | null>()
  return {
    record({ key, acknowledged }) {
      const state = basisIn(acknowledged?.body)
      if (state !== undefined) left.set(key, state)
    },
    keep: (key, state) => void left.set(key, state),
    appliesTo(basis, present) {
      if (basis === undefined || present === undefined || basis === present) return true
      const state = left.get(basis ?? '')
      return (state === undefined ? stateOfBasis(basis) : state) === stateOfBasis(present)
    },
  }
}
