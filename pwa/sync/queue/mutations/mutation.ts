import { holdsValues, isInstant, type RecordFields } from '#shared/record/record.ts'
import type { QueueableRouteName } from '#shared/api/routes.ts'
import type { ApplicationDocument, EventDocument } from '#shared/sync/replication-calls.ts'

export interface FoldedDocuments<D> {
  get(key: string): D | undefined
  set(key: string, document: D): unknown
  delete(key: string): unknown
  entries(): Iterable<readonly [string, D]>
}

/** Mutations replace, never modify, a document. */
export interface Folded {
  readonly events: FoldedDocuments<EventDocument>
  readonly applications: FoldedDocuments<ApplicationDocument>
}

/** `params` are the values in the route's path. */
export interface Sent {
  readonly params?: Readonly<Record<string, string | number>>
  readonly body?: unknown
}

export interface Target {
  readonly collection: 'events' | 'applications'
  readonly key: string
  readonly effect: 'create' | 'change' | 'delete'
}

export interface Mutation<A> {
  readonly name: string
  readonly argsVersion: number
  readonly route: QueueableRouteName
  /** A person can undo the change for this long before it is queued. */
  readonly holdMs: number
  /** Whether arguments from the disk, in today's form, can be read: everything below relies on it. */
  accepts(args: unknown): boolean
  eventOf(args: A): number
  /** An applicant makes it, about an application that was sent. */
  readonly isOwn?: true
  /** The event ends with it: it leaves after all earlier changes of the event. */
  readonly closesEvent?: true
  lane(args: A): string
  /** Names every field: one that a later app added must not reach an older server. */
  send(args: A): Sent
  /** Twice must equal once. The entry's key names the state it leaves behind. */
  fold(folded: Folded, args: A, key: string): void
  /** Returns null when there is no replica to wait for (a visitor's). */
  target(args: A): Target | null
  /** The label is like "Approve Ana Ruiz". */
  label(args: A): string
  /** Gives what its maker wrote and the label leaves out, by what it is called. */
  written?(args: A): Readonly<Record<string, string | null | undefined>>
  /** It acts outside the database, such as by a mail: no server that forgot it is offered it again. */
  readonly isNeverOfferedAgain?: true
  /** Makes the arguments for offering a visitor's change again, with what the answer gave. */
  withAnswer?(args: A, answer: unknown): A
  /** A 404 counts as success (deleting). */
  readonly missingIsSuccess?: true
  /** It leaves its document in another state, on which the next change can be made. */
  readonly changesState?: true
  /** Tells whether its document is already as it wishes. */
  isAlready?(folded: Folded, args: A): boolean
}

/** With `?` it may be missing. A `number` is a whole number from 0. */
type FieldKind = 'number' | 'string' | 'boolean' | 'instant'
type ArgsShape = { readonly [name: string]: FieldKind | `${FieldKind}?` | ((value: unknown) => boolean) }

const isOfKind: Readonly<Record<FieldKind, (value: unknown) => boolean>> = {
  number: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  instant: isInstant,
}

export const valuesOf = (record: RecordFields) => (value: unknown) => holdsValues(record, value)
export const optional = (accepts: (value: unknown) => boolean) => (value: unknown) =>
  value === undefined || accepts(value)
export const textOrNull = (value: unknown) => value === null || typeof value === 'string'
export const oneOf = (words: readonly string[]) => (value: unknown) => words.some((word) => word === value)

/** Half-failed writes and edits in the browser's tools leave anything on the disk. */
function hasShape(args: unknown, shape: ArgsShape): boolean {
  if (typeof args !== 'object' || args === null) return false
  return Object.entries(shape).every(([name, kind]) => {
    const value = (args as Record<string, unknown>)[name]
    if (typeof kind === 'function') return kind(value)
    if (value === undefined) return kind.endsWith('?')
    return isOfKind[kind.replace('?', '') as FieldKind](value)
  })
}

type Usual = 'argsVersion' | 'holdMs' | 'accepts' | 'fold' | 'target'
type Defined<A> = Omit<Mutation<A>, Usual> & Partial<Pick<Mutation<A>, Usual>> & { readonly shape: ArgsShape }

export function defineMutation<A>({ shape, ...mutation }: Defined<A>): Mutation<A> {
  return {
    argsVersion: 1,
    holdMs: 0,
    accepts: (args) => hasShape(args, shape),
    fold() {},
    target: () => null,
    ...mutation,
  }
}

export const ofEvent = {
  eventOf: ({ id }: { readonly id: number }) => id,
  lane: ({ id }: { readonly id: number }) => `event:${id}`,
}

export const eventTarget = (id: number, effect: Target['effect'] = 'change'): Target => ({
  collection: 'events',
  key: String(id),
  effect,
})
export const applicationTarget = (id: number): Target => ({
  collection: 'applications',
  key: String(id),
  effect: 'change',
})
