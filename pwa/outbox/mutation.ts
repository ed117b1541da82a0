import type { QueueableRouteName } from '#shared/api/routes.ts'
import type { ApplicationDocument, EventDocument } from '#shared/api/replication.ts'

/** The replica's documents while they are being folded: by collection and key. Mutations replace, never modify, a document. */
export interface Folded {
  readonly events: Map<string, EventDocument>
  readonly applications: Map<string, ApplicationDocument>
}

/** What a mutation sends: the places in the route's path and its body. */
export interface Sent {
  readonly params?: Readonly<Record<string, string | number>>
  readonly body?: unknown
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
  lane(args: A): string
  send(args: A): Sent
  /** Applies the intention to what the server said. Doing it twice must equal doing it once. */
  fold(folded: Folded, args: A): void
  /** The document this changes, whose arrival in the replica settles it; null when there is none (a visitor's). */
  target(args: A): { readonly collection: 'events' | 'applications'; readonly key: string; readonly effect: 'create' | 'change' | 'delete' } | null
  /** What it does in the user's words: "Approve Ana Ruiz". */
  label(args: A): string
  /** A 404 means the wish is already fulfilled (deleting). */
  readonly missingIsSuccess?: true
  /** Arguments of an older version → today's; identity when there was never another. */
  upcast(args: unknown, argsVersion: number): A
}
