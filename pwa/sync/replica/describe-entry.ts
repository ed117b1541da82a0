import type { Problem } from '#shared/contract/problem.ts'
import { byServerClock } from '../http/server-time.ts'
import { type Entry, type NewEntry, type SyncState, syncStateOf } from '../queue/entry.ts'
import { basisIn, isConflict } from '../queue/mutations/entry-basis.ts'
import type { Mutation, Target } from '../queue/mutations/mutation.ts'
import { argsOf, findKnown, labelOf, targetOf } from '../queue/mutations/mutations.ts'
import { isIdTaken } from '../queue/mutations/other-id.ts'
import { retryMail } from '../queue/mutations/retry-mail.ts'
import { neverLeft } from '../queue/outbox-machine.ts'
import { outbox } from '../queue/outbox.ts'
import { damagedCode } from '../queue/store/outbox-store.ts'
import { documentOf } from './fold.ts'
import { replicaState } from './replica-state.ts'
import { useOutbox } from './use-outbox.ts'

/** What a screen says about a change; each part is found out when it is asked for. */
interface EntryDescription {
  /**
   * The label is like "Approve Ana Ruiz". The name is the replica's, because a file that was made elsewhere may name
   * anyone.
   */
  readonly label: string
  /** This is the same with the name that was known when the change was made. */
  readonly labelAsMade: string
  readonly target: Target | null
  /** The arguments have today's form; undefined means that this app cannot read the change. */
  readonly args: unknown
  /** It is undefined where this app cannot read the change, as the next two are. */
  readonly route: Mutation<unknown>['route'] | undefined
  readonly eventId: number | undefined
  /** The label leaves this out. It is what the change's maker wrote, by what it is called. */
  readonly written: Readonly<Record<string, string | null | undefined>> | undefined
  readonly syncState: SyncState
  /** This and the next are by the server's clock (ISO). */
  readonly madeAt: string
  readonly refusedAt: string | undefined
  /** It never left this device, so that taking it back undoes it. */
  readonly neverLeft: boolean
  /** It was made on another state than the server has. */
  readonly isConflict: boolean
  /** Another number repairs the refused creation. */
  readonly isIdTaken: boolean
  readonly isDamaged: boolean
  readonly wantsPlan: boolean
}

const planCodes = new Set(['plan_limit', 'payment_required'])

function labelHere(entry: NewEntry): string {
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

export function describeEntry(entry: NewEntry): EntryDescription {
  const code = entry.refusal?.problem.code ?? ''
  return {
    get label() {
      return labelHere(entry)
    },
    get labelAsMade() {
      return labelOf(entry)
    },
    get target() {
      return targetOf(entry)
    },
    get args() {
      return findKnown(entry)?.args
    },
    get route() {
      return findKnown(entry)?.mutation.route
    },
    get eventId() {
      const known = findKnown(entry)
      return known?.mutation.eventOf(known.args)
    },
    get written() {
      const known = findKnown(entry)
      return known?.mutation.written?.(known.args)
    },
    syncState: syncStateOf(entry),
    madeAt: byServerClock(entry.createdAt),
    refusedAt: entry.refusal && byServerClock(entry.refusal.at),
    neverLeft: neverLeft(entry),
    isConflict: isConflict(entry),
    isIdTaken: isIdTaken(entry),
    isDamaged: code === damagedCode,
    wantsPlan: planCodes.has(code) && entry.organizerId === undefined,
  }
}

interface ParkedEntry<A> {
  readonly entry: Entry
  readonly args: A
  readonly problem: Problem
  /** Shown with the server's refusal: the person has seen it. */
  readonly basisSeen: string | null
  /** @throws when the change was sent or discarded elsewhere */
  readonly resend: (args: A) => Promise<void>
}

/** @param seq the text of `?resend=` @returns null when no refused change of this kind has it */
export function useParkedEntry<A>(seq: string | null, mutation: Mutation<A>): ParkedEntry<A> | null {
  const { items } = useOutbox()
  if (seq === null) return null
  const entry = items.find((item) => String(item.entry.seq) === seq)?.entry
  const args = entry && argsOf(entry, mutation)
  if (!args || entry.state !== 'parked' || !entry.refusal) return null
  const { problem } = entry.refusal
  const seen = basisIn(problem.current)
  return {
    entry,
    args,
    problem,
    basisSeen: (seen === undefined ? basisIn(args) : seen) ?? null,
    async resend(next) {
      const result = await outbox.editAndResend(entry.seq, mutation, next)
      if (result === 'too-late') throw new Error('This change was sent or discarded in another window.')
    },
  }
}
