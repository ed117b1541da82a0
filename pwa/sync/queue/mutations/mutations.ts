import { oneLine } from '#shared/text/plain-text.ts'
import type { Intention } from '../entry.ts'
import type { Mutation, Sent, Target } from './mutation.ts'
import * as all from './all-mutations.ts'

export const mutations: ReadonlyMap<string, Mutation<unknown>> = new Map(
  Object.values(all).map((mutation) => [mutation.name, mutation as Mutation<unknown>]),
)

export interface KnownMutation {
  readonly mutation: Mutation<unknown>
  readonly args: unknown
}

/** Returns undefined for a damaged change, and for one of a newer app, which waits for the update. */
export function findKnown(entry: Intention): KnownMutation | undefined {
  const read = readArgs(entry)
  return typeof read === 'string' ? undefined : read
}

/** Returns undefined for a change of another kind, and where this app cannot read it. */
export function argsOf<A>(entry: Intention, { name }: Mutation<A>): A | undefined {
  return entry.mutation === name ? (findKnown(entry)?.args as A | undefined) : undefined
}

export function isDamaged(entry: Intention): boolean {
  return readArgs(entry) === 'damaged'
}

function readArgs({ mutation: name, args, argsVersion }: Intention): KnownMutation | 'newer' | 'damaged' {
  const mutation = mutations.get(name)
  if (!mutation || argsVersion > mutation.argsVersion) return 'newer'
  try {
    return mutation.accepts(args) ? { mutation, args } : 'damaged'
  } catch {
    return 'damaged'
  }
}

/** Null when there is none, or this app does not know the mutation. */
export function targetOf(entry: Intention): Target | null {
  const known = findKnown(entry)
  return known ? known.mutation.target(known.args) : null
}

const longestLabel = 240

export function labelOf(entry: Intention): string {
  const known = readArgs(entry)
  if (known === 'newer') return 'A change made by a newer version of this app'
  return known === 'damaged'
    ? 'A change that was damaged on this device'
    : oneLine(known.mutation.label(known.args), longestLabel)
}

/** Returns undefined when this app does not know the mutation. */
export function sentOf(entry: Intention): (Sent & { readonly route: string }) | undefined {
  const known = findKnown(entry)
  return known ? { ...known.mutation.send(known.args), route: known.mutation.route } : undefined
}
