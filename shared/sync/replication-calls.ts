import * as z from 'zod'
import { application } from '../applications/application-calls.ts'
import { user } from '../accounts/account-calls.ts'
import { subscriptionStatus } from '../billing/billing-calls.ts'
import { organizerEvent } from '../events/event-calls.ts'
import type { Section } from '../contract/route.ts'
import { collections, type Collection, type Scope } from './collections.ts'

/** `key` is the id as text, `version` the document's position in its scope's feed. */
const replicated = { key: z.string().max(20), version: z.int().min(0) }

export const eventDocument = z.strictObject({ ...replicated, ...organizerEvent.shape })
export const applicationDocument = z.strictObject({ ...replicated, ...application.shape })
/** One document, whose key is `me`. */
export const accountDocument = z.strictObject({ ...replicated, user, ...subscriptionStatus.shape })

export type EventDocument = z.output<typeof eventDocument>
export type ApplicationDocument = z.output<typeof applicationDocument>
export type AccountDocument = z.output<typeof accountDocument>

/** Of a deleted document, without personal data. */
export const tombstone = z.strictObject({ ...replicated, _deleted: z.literal(true) })
export type Tombstone = z.output<typeof tombstone>

/** A device keeps it, compares it for equality and sends it back, but never reads it. */
const checkpoint = z.string().min(1).max(120)

export const feedPosition = {
  /** Of the server's database. */
  epoch: z.uuid(),
  version: z.int().min(0),
  checkpoint,
}
export interface FeedPosition {
  readonly epoch: string
  readonly version: number
  readonly checkpoint: string
}

/** A hall's worth of decisions. */
export const maximumBatch = 500

/** `params` and `body` are judged with their own call: an unreadable one is refused alone. */
export const mutationEntry = z.strictObject({
  key: z.uuid(),
  route: z.string().max(60),
  /**
   * A lane's entries run in order; after a refusal its later ones come back untouched, as does all once the answers
   * have a megabyte.
   */
  lane: z.string().max(80),
  params: z.unknown().optional(),
  body: z.unknown().optional(),
  /**
   * What the change was made on: the key of its sender's earlier change, or the document's `basis`; null where that had
   * none. Another state is a conflict unless the wish is fulfilled. Left out: no such check.
   */
  basis: z.string().max(40).nullable().optional(),
  /**
   * The server may have been restored since; `taken` by it before that, or `new`. Refusals are not final: what the
   * change is about may come back.
   */
  again: z.enum(['taken', 'new']).optional(),
})

/** One line, written as soon as its entry has run. */
const mutationVerdict = z.union([
  z.strictObject({
    key: z.uuid(),
    status: z.int(),
    version: z.int().optional(),
    body: z.unknown().optional(),
    retryAfterSeconds: z.number().optional(),
  }),
  z.strictObject({ key: z.uuid(), untouched: z.literal(true) }),
])

/** From `since` to `version` only documents of these `collections` changed. */
export interface Poke {
  readonly scope: Scope
  readonly version: number
  readonly since?: number
  readonly collections?: readonly Collection[]
  readonly carried?: CarriedDocuments
}

/**
 * All that changed after `since`, if little: a device whose newest checkpoint is `from` is then at `to`, without a
 * pull.
 */
export interface CarriedDocuments {
  readonly from: string
  readonly to: string
  readonly documents: Readonly<Partial<Record<Collection, readonly unknown[]>>>
}

export const replicationRoutes = {
  pull: {
    summary:
      'Documents changed after a checkpoint, by version; 410 `reset` when the checkpoint is of another epoch or too old',
    access: 'user',
    query: z.strictObject({
      collection: z.enum(collections),
      /** Of the answer before; left out: from the beginning. */
      checkpoint: checkpoint.optional(),
      limit: z.coerce.number().int().min(1).max(5000).optional(),
      /** Not read: it makes each address unique. */
      nonce: z.string().max(40).optional(),
    }),
    answer: z.strictObject({
      documents: z.array(z.looseObject(replicated)),
      ...feedPosition,
      /** Up to this version the collection is complete with this page, even without documents. */
      head: z.int(),
      /** Documents are left for the next page. */
      more: z.boolean(),
      /** How long a device keeps settled changes for a restored server. */
      keepSettledHours: z.int().min(0),
    }),
  },
  openStream: {
    summary:
      'Server-sent events: `poke` {scope, version, since?, collections?, carried?}, `resync`, `come-back` {afterMs}',
    access: 'user',
    answer: z.looseObject({}),
    streams: 'text/event-stream',
  },
  replayMutations: {
    summary: 'Up to 500 queued changes; one JSON line per entry, in order, as they finish',
    access: 'anyone',
    body: z.strictObject({
      /** Null: a visitor's, run as a stranger whatever the session. */
      account: z.int().nullable(),
      entries: z.array(mutationEntry).min(1).max(maximumBatch),
    }),
    answer: mutationVerdict,
    streams: 'application/x-ndjson',
  },
  cancelMutation: {
    summary: 'Forbid a change that may be on its way; tells whether it had already happened',
    access: 'anyone',
    body: z.strictObject({ account: z.int().nullable(), key: z.uuid() }),
    answer: z.strictObject({ outcome: z.enum(['cancelled', 'already-happened']) }),
  },
  cancelMutations: {
    summary: "The same for up to 500 of the caller's changes; one outcome per key, in order",
    access: 'user',
    body: z.strictObject({
      /** Refused when another account is signed in. Left out: the caller's. */
      account: z.int().optional(),
      keys: z.array(z.uuid()).min(1).max(maximumBatch),
    }),
    answer: z.strictObject({ outcomes: z.array(z.enum(['cancelled', 'already-happened'])) }),
  },
  describeApi: { summary: 'This table as OpenAPI 3.1', access: 'anyone', answer: z.looseObject({}) },
} as const satisfies Section
