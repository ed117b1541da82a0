import type { Problem } from '#shared/contract/problem.ts'
import type { Entry } from '../outbox/entry.ts'
import type { Mutation } from '../outbox/mutations/mutation.ts'
import { findKnown, labelOf } from '../outbox/mutations/mutations.ts'
import { outbox } from '../outbox/outbox.ts'
import { useOutbox } from './use-outbox.ts'

/** What a queued change does, in words: "Approve Ana Ruiz". Beside the queue's state, which every page shows, because a first visit needs no words. */
export const entryLabel = (entry: Entry): string =>
  entry.forget && entry.state !== 'parked' ? 'An application that was removed from this device' : labelOf(entry)

/** A refused change that is being edited: what was wanted, and why the server said no. */
export interface ParkedEntry<A> {
  readonly entry: Entry
  readonly args: A
  readonly problem: Problem
}

/**
 * The refused change named by `?resend=` in a form's address.
 * @param seq the parameter's text @returns null when there is none, or it is no longer refused, or is of another kind
 */
export function useParkedEntry<A>(seq: string | null, mutation: Mutation<A>): ParkedEntry<A> | null {
  const { items } = useOutbox()
  if (seq === null) return null
  const entry = items.find((item) => String(item.entry.seq) === seq)?.entry
  if (!entry || entry.mutation !== mutation.name || entry.state !== 'parked' || !entry.refusal) return null
  const known = findKnown(entry)
  return known ? { entry, args: known.args as A, problem: entry.refusal.problem } : null
}

/** Sends a refused change with corrected arguments. Throws when it is no longer refused: sent or discarded elsewhere. */
export async function resendParked<A>(entry: Pick<Entry, 'seq'>, mutation: Mutation<A>, args: A): Promise<void> {
  const result = await outbox.editAndResend(entry.seq, mutation, args)
  if (result === 'too-late') throw new Error('This change was sent or discarded in another window.')
}
