import type { Problem } from '#shared/contract/problem.ts'
import {
  type Entry,
  type Mutation,
  basisIn,
  findKnown,
  labelOf,
  targetOf,
  retryMail,
  outbox,
  documentOf,
  replicaState,
} from '../../sync/index.ts'
import { useOutbox } from './use-outbox.ts'

/** Such as "Approve Ana Ruiz". The name is the replica's, never the change's: a file made elsewhere may name anyone. */
export function entryLabel(entry: Pick<Entry, 'mutation' | 'args' | 'argsVersion' | 'state' | 'forget'>): string {
  if (entry.forget && entry.state !== 'parked') return 'An application that was removed from this device'
  const replica = replicaState.get()
  const target = targetOf(entry)
  if (!target || target.effect === 'create' || replica.status !== 'ready') return labelOf(entry)
  const document = documentOf(replica, target)
  if (!document) return `${labelOf(entry)} (not on this device)`
  const args = entry.args as { readonly name?: unknown; readonly applicationId?: unknown }
  const isNamed = 'name' in args && (target.collection === 'applications' || entry.mutation !== retryMail.name)
  const name = 'name' in document ? document.name : `${document.firstName} ${document.lastName}`
  return labelOf(isNamed ? { ...entry, args: { ...args, name } } : entry)
}

/** Undefined for a change of another kind, and where this app cannot read it. */
export function argsOf<A>(
  entry: Pick<Entry, 'mutation' | 'args' | 'argsVersion'>,
  { name }: Mutation<A>,
): A | undefined {
  return entry.mutation === name ? (findKnown(entry)?.args as A | undefined) : undefined
}

const planCodes = new Set(['plan_limit', 'payment_required'])

export const wantsPlan = (entry: Entry) => planCodes.has(entry.refusal?.problem.code ?? '')

export interface ParkedEntry<A> {
  readonly entry: Entry
  readonly args: A
  readonly problem: Problem
}

/** @param seq the text of `?resend=` @returns null when no refused change of this kind has it */
export function useParkedEntry<A>(seq: string | null, mutation: Mutation<A>): ParkedEntry<A> | null {
  const { items } = useOutbox()
  if (seq === null) return null
  const entry = items.find((item) => String(item.entry.seq) === seq)?.entry
  const args = entry && argsOf(entry, mutation)
  return args && entry.state === 'parked' && entry.refusal ? { entry, args, problem: entry.refusal.problem } : null
}

/** Shown with the server's refusal: the person has seen it. */
export function basisSeen({ args, problem }: ParkedEntry<{ readonly basis: string | null }>): string | null {
  const shown = basisIn(problem.current)
  return shown === undefined ? args.basis : shown
}

/** @throws when the change was sent or discarded elsewhere */
export async function resendParked<A>(entry: Pick<Entry, 'seq'>, mutation: Mutation<A>, args: A): Promise<void> {
  const result = await outbox.editAndResend(entry.seq, mutation, args)
  if (result === 'too-late') throw new Error('This change was sent or discarded in another window.')
}
