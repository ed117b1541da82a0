import { holdsValues, isInstant, type RecordFields } from '#shared/record/record.ts'
import type { QueueableRouteName } from '#shared/api/routes.ts'
import type { ApplicationDocument, EventDocument } from '#shared/sync/replication-calls.ts'

/** Documents by key, as a `Map` has them. */
export interface FoldedDocuments<D> {
  get(key: string): D | undefined
  set(key: string, document: D): unknown
  delete(key: string): unknown
  entries(): Iterable<readonly [string, D]>
}

/** The replica's documents while they are being folded: by collection and key. Mutations replace, never modify, a document. */
export interface Folded {
  readonly events: FoldedDocuments<EventDocument>
  readonly applications: FoldedDocuments<ApplicationDocument>
}

/** What a mutation sends: the places in the route's path and its body. */
export interface Sent {
  readonly params?: Readonly<Record<string, string | number>>
  readonly body?: unknown
}

/** The document a mutation changes, whose arrival in the replica settles it. */
export interface Target {
  readonly collection: 'events' | 'applications'
  readonly key: string
  readonly effect: 'create' | 'change' | 'delete'
}

/**
 * A named intention. Once released, a name is never reused or removed, and older arguments are upcast, so that what
 * an old app queued still goes out.
 */
export interface Mutation<A> {
  readonly name: string
  readonly argsVersion: number
  readonly route: QueueableRouteName
  /** Milliseconds during which it can still be undone before it is queued; 0 for most. */
  readonly holdMs: number
  /** Whether arguments from the disk, in today's form, can be read at all: everything below relies on it. */
  accepts(args: unknown): boolean
  /** The event it belongs to. */
  eventOf(args: A): number
  /** The event ends with it: it leaves after everything of the event that was made before it. */
  readonly closesEvent?: true
  lane(args: A): string
  /** Names every field it sends: a field that a later app added to the arguments must not reach an older server. */
  send(args: A): Sent
  /** Applies the intention to what the server said. Doing it twice must equal doing it once. The entry's key names what it leaves behind. */
  fold(folded: Folded, args: A, key: string): void
  /** Null when there is no replica to wait for (a visitor's). */
  target(args: A): Target | null
  /** What it does in the user's words: "Approve Ana Ruiz". */
  label(args: A): string
  /** Doing it again would do it again outside the database, as a mail that leaves: a server that forgot it is not offered it. */
  readonly isNeverOfferedAgain?: true
  /** What a visitor's change says besides when it is offered again, from the answer it had. */
  withAnswer?(args: A, answer: unknown): A
  /** A 404 counts as success (deleting). */
  readonly missingIsSuccess?: true
  /** It leaves its document in another state, on which the next change can be made. */
  readonly changesState?: true
  /** Whether its document is as it wishes, so that the server will change nothing. */
  isAlready?(folded: Folded, args: A): boolean
  /** Arguments of an older version → today's; identity when there was never another. */
  upcast(args: unknown, argsVersion: number): A
}

/** What a field of a change's arguments must be; with `?` it may be missing. A `number` counts or names something. */
type FieldKind = 'number' | 'string' | 'boolean' | 'instant'
type ArgsShape = { readonly [name: string]: FieldKind | `${FieldKind}?` | ((value: unknown) => boolean) }

const isOfKind: Readonly<Record<FieldKind, (value: unknown) => boolean>> = {
  number: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  instant: isInstant,
}

/** For a field that holds a record's values. */
export const valuesOf = (record: RecordFields) => (value: unknown) => holdsValues(record, value)
/** For a field that may be missing. */
export const optional = (accepts: (value: unknown) => boolean) => (value: unknown) =>
  value === undefined || accepts(value)
/** For a field that holds a text or null. */
export const textOrNull = (value: unknown) => value === null || typeof value === 'string'
/** For a field that holds one of some words. */
export const oneOf = (words: readonly string[]) => (value: unknown) => words.some((word) => word === value)

/**
 * Whether arguments from a disk or a file have the shape: whatever the app does with them it can then do. A write that failed
 * half way, a hand in the browser's tools or a file made elsewhere leaves anything.
 */
function hasShape(args: unknown, shape: ArgsShape): boolean {
  if (typeof args !== 'object' || args === null) return false
  return Object.entries(shape).every(([name, kind]) => {
    const value = (args as Record<string, unknown>)[name]
    if (typeof kind === 'function') return kind(value)
    if (value === undefined) return kind.endsWith('?')
    return isOfKind[kind.replace('?', '') as FieldKind](value)
  })
}

type Usual = 'argsVersion' | 'holdMs' | 'accepts' | 'fold' | 'target' | 'upcast'
type Defined<A> = Omit<Mutation<A>, Usual> & Partial<Pick<Mutation<A>, Usual>> & { readonly shape: ArgsShape }

/**
 * A mutation with what is usual for one: its arguments had one version, it leaves at once, and it changes no document.
 * @param shape what arguments from the disk must have to be read
 */
export function defineMutation<A>({ shape, ...mutation }: Defined<A>): Mutation<A> {
  return {
    argsVersion: 1,
    holdMs: 0,
    accepts: (args) => hasShape(args, shape),
    fold() {},
    target: () => null,
    upcast: (args) => args as A,
    ...mutation,
  }
}

/** The lane of an event's own changes, whose arguments have its `id`. */
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
