import * as z from 'zod'
import { application } from '../applications/application-calls.ts'
import { user } from '../accounts/account-calls.ts'
import { subscriptionStatus } from '../billing/billing-calls.ts'
import { applicationStatuses } from '../applications/decide.ts'
import { idInPath, organizerEvent } from '../events/event-calls.ts'
import type { Section } from '../contract/route.ts'
import { membership } from '../team/team-calls.ts'
import { collections, maxNamed, scopes, type Scope } from './collections.ts'

/** `key` is the id as text, `version` the document's position in its scope's feed. */
const replicated = { key: z.string().max(20), version: z.int().min(0) }

export const eventDocument = z.strictObject({ ...replicated, ...organizerEvent.shape })
export const applicationDocument = z.strictObject({ ...replicated, ...application.shape })
/** There is one such document, whose key is `me`. */
export const accountDocument = z.strictObject({
  ...replicated,
  user,
  ...subscriptionStatus.shape,
  /** The account belongs to these teams of other organizers. */
  teams: z.array(membership),
})

export type EventDocument = z.output<typeof eventDocument>
export type ApplicationDocument = z.output<typeof applicationDocument>
export type AccountDocument = z.output<typeof accountDocument>

/** Takes the place of a deleted document and holds no personal data. */
export const tombstone = z.strictObject({ ...replicated, _deleted: z.literal(true) })
export type Tombstone = z.output<typeof tombstone>

/** A device keeps it, compares it for equality and sends it back, but never reads it. */
const checkpoint = z.string().min(1).max(120)

export const feedPosition = {
  /** Identifies a lifetime of the server's database. */
  epoch: z.uuid(),
  version: z.int().min(0),
  checkpoint,
}
export interface FeedPosition {
  readonly epoch: string
  readonly version: number
  readonly checkpoint: string
}

/** A device's copy of an event has to equal this. */
const syncSummary = z.strictObject({
  epoch: z.uuid(),
  /** This is the version of the organizer's scope. */
  version: z.int().min(0),
  eventVersion: z.int().min(0),
  /** By status; archived applications are on no device and are not counted. */
  applications: z.record(z.enum(applicationStatuses), z.int().min(0)),
})
export type SyncSummary = z.output<typeof syncSummary>

/** A batch holds the decisions of a whole hall. */
export const maxBatch = 500

/** `params` and `body` are judged with their own call: an unreadable one is refused alone. */
export const mutationEntry = z.strictObject({
  key: z.uuid(),
  route: z.string().max(60),
  /**
   * A lane's entries run in order; after a refusal its later ones come back untouched. Once the answers have a megabyte
   * the documents of later ones are left out.
   */
  lane: z.string().max(80),
  params: z.unknown().optional(),
  body: z.unknown().optional(),
  /**
   * Names what the change was made on: the key of its sender's earlier change, or the document's `basis`; null means
   * that it had none. Another state is a conflict unless the wish is fulfilled. Without it nothing is checked.
   */
  basis: z.string().max(40).nullable().optional(),
  /** The server took it before it was restored: its mails may have left. */
  again: z.boolean().optional(),
})

/** A verdict is one line, written as soon as its entry has run. */
const mutationVerdict = z.union([
  z.strictObject({
    key: z.uuid(),
    status: z.int(),
    version: z.int().optional(),
    /** The scope was at this checkpoint after the change. */
    checkpoint: checkpoint.optional(),
    body: z.unknown().optional(),
    retryAfterSeconds: z.number().optional(),
  }),
  z.strictObject({ key: z.uuid(), untouched: z.literal(true) }),
])

/** The scope is at this version. What changed is pulled. */
export interface Poke {
  readonly scope: Scope
  readonly version: number
}

export const replicationRoutes = {
  pull: {
    summary:
      'Documents of a scope changed after a checkpoint, by version; 410 `reset` when the checkpoint is of another epoch or too old',
    access: 'user',
    team: 'door',
    query: z.strictObject({
      scope: z.enum(scopes),
      /** This comes from the answer before; without it a pull starts from the beginning. */
      checkpoint: checkpoint.optional(),
      /** Of acknowledged changes, separated by commas: 410 `reset` when the server's history has lost one of them. */
      acknowledged: z
        .string()
        .max(maxNamed * 121)
        .optional(),
      limit: z.coerce.number().int().min(1).max(5000).optional(),
      /** Not read: it makes each address unique. */
      nonce: z.string().max(40).optional(),
    }),
    answer: z.strictObject({
      documents: z.array(z.looseObject({ collection: z.enum(collections), ...replicated })),
      ...feedPosition,
      /** Up to this version the scope is complete with this page, even without documents. */
      head: z.int(),
      /** Documents are left for the next page. */
      more: z.boolean(),
      /** How long a device keeps settled changes for a restored server. */
      keepSettledHours: z.int().min(0),
    }),
  },
  getSyncSummary: {
    summary: 'What a device’s copy of an event is compared with: versions and counts, no documents',
    access: 'owner',
    team: 'door',
    query: z.strictObject({ eventId: idInPath }),
    answer: syncSummary,
  },
  openStream: {
    summary: 'Server-sent events: `poke` {scope, version}, `resync`, `come-back` {afterMs}',
    access: 'user',
    team: 'door',
    answer: z.looseObject({}),
    streams: 'text/event-stream',
  },
  replayMutations: {
    summary: 'Up to 500 queued changes; one JSON line per entry, in order, as they finish',
    access: 'anyone',
    team: 'door',
    body: z.strictObject({
      /** Null means that the change is a visitor's, which is run as a stranger's whatever the session is. */
      account: z.int().nullable(),
      entries: z.array(mutationEntry).min(1).max(maxBatch),
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
      /** The call is refused when another account is signed in. Without it the caller's account is meant. */
      account: z.int().optional(),
      keys: z.array(z.uuid()).min(1).max(maxBatch),
    }),
    answer: z.strictObject({ outcomes: z.array(z.enum(['cancelled', 'already-happened'])) }),
  },
  describeApi: { summary: 'This table as OpenAPI 3.1', access: 'anyone', answer: z.looseObject({}) },
} as const satisfies Section
