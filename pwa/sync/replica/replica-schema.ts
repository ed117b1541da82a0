import * as z from 'zod'
import { collections, type Collection } from '#shared/sync/collections.ts'
import {
  accountDocument,
  applicationDocument,
  feedPosition,
  eventDocument,
  tombstone,
  type AccountDocument,
  type ApplicationDocument,
  type EventDocument,
} from '#shared/sync/replication-calls.ts'
import type { Arrived, Page } from '../follow/pull.ts'
import { pagesLayout } from './replica-pages.ts'

export interface Documents {
  readonly events: EventDocument
  readonly applications: ApplicationDocument
  readonly account: AccountDocument
}

const strict = { events: eventDocument, applications: applicationDocument, account: accountDocument } as const

const page = z.object({
  documents: z.array(z.unknown()),
  ...feedPosition,
  head: z.int(),
  more: z.boolean(),
  keepSettledHours: z.number().optional(),
})
const named = z.object({ collection: z.enum(collections), key: z.string().min(1).max(20) })
const readDocument = {
  events: lenient(strict.events),
  applications: lenient(strict.applications),
  account: lenient(strict.account),
}

/** For documents of a server of another version: unknown fields are left out, and a missing nullable field is null. */
function lenient(schema: z.ZodType): z.ZodType {
  const hasChecks = (schema.def as { checks?: readonly unknown[] }).checks?.length
  if (schema instanceof z.ZodObject && !hasChecks)
    return z.object(Object.fromEntries(Object.entries(schema.shape).map(([name, field]) => [name, lenient(field)])))
  if (schema instanceof z.ZodArray && !hasChecks) return z.array(lenient(schema.element as z.ZodType))
  if (schema instanceof z.ZodOptional) return lenient(schema.unwrap() as z.ZodType).optional()
  if (schema instanceof z.ZodNullable)
    return lenient(schema.unwrap() as z.ZodType)
      .nullable()
      .default(null)
  return schema
}

const isTombstone = (document: unknown) =>
  typeof document === 'object' && document !== null && '_deleted' in document && document._deleted === true

/**
 * Returns undefined when the body is no page of the change feed. A newer server's document is named among the
 * unreadable and leaves the others alone.
 */
export function parsePage(body: unknown): Page<Documents[Collection]> | undefined {
  const parsed = page.safeParse(body)
  if (!parsed.success) return undefined
  const documents: Arrived<Documents[Collection]>[] = []
  const unreadable: string[] = []
  for (const document of parsed.data.documents) {
    const name = named.safeParse(document)
    if (!name.success) return undefined
    const { collection, key } = name.data
    const read = (isTombstone(document) ? tombstone : readDocument[collection]).safeParse(withoutCollection(document))
    if (read.success) documents.push({ collection, document: read.data as Documents[Collection] })
    else unreadable.push(`${collection}/${key}`)
  }
  return { ...parsed.data, documents, unreadable }
}

/** Tombstones are strict. */
function withoutCollection(document: unknown): unknown {
  const { collection: _collection, ...rest } = document as { readonly collection: unknown }
  return rest
}

/** Another hash means another database and a new pull: the build writes it into the app as `COPY_LAYOUT`. */
export async function schemaHash(): Promise<string> {
  const text = JSON.stringify([
    Object.values(strict).map((schema) => z.toJSONSchema(schema, { io: 'output' })),
    pagesLayout,
  ])
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
