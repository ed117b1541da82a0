import * as z from 'zod'
import type { RxJsonSchema } from 'rxdb'
import {
  accountDocument,
  applicationDocument,
  checkpoint,
  eventDocument,
  tombstone,
  type AccountDocument,
  type ApplicationDocument,
  type Collection,
  type EventDocument,
} from '#shared/sync/replication-calls.ts'
import type { Page } from '../follow/pull.ts'
import { pagesLayout } from './replica-pages.ts'

export interface Documents {
  readonly events: EventDocument
  readonly applications: ApplicationDocument
  readonly account: AccountDocument
}

const strict = { events: eventDocument, applications: applicationDocument, account: accountDocument } as const

const page = z.object({
  documents: z.array(z.unknown()),
  checkpoint: z.object(checkpoint.shape),
  head: z.int(),
  more: z.boolean().optional(),
  keepSettledHours: z.number().optional(),
})
/** The least a document must say: which one it is. */
const named = z.object({ key: z.string().min(1).max(20) })
/**
 * A schema of the contract with two allowances for servers of another version: fields that it does not know are left out instead
 * of refused, and a nullable field that is missing is null.
 */
function lenient(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodObject) {
    const fields = Object.entries(schema.shape as Record<string, z.ZodType>)
    return z.object(Object.fromEntries(fields.map(([name, field]) => [name, lenient(field)])))
  }
  if (schema instanceof z.ZodOptional) return lenient(schema.unwrap() as z.ZodType).optional()
  if (schema instanceof z.ZodNullable)
    return lenient(schema.unwrap() as z.ZodType)
      .nullable()
      .default(null)
  if (schema instanceof z.ZodArray && !schema.def.checks?.length) return z.array(lenient(schema.element as z.ZodType))
  return schema
}

const deleted = lenient(tombstone)
const documentOf = {
  events: lenient(strict.events),
  applications: lenient(strict.applications),
  account: lenient(strict.account),
}

const isMarkedDeleted = (document: unknown) =>
  typeof document === 'object' && document !== null && '_deleted' in document && document._deleted === true

/**
 * A page of the change feed as this app understands it; undefined when it is none. One document that a newer server writes
 * otherwise does not keep the others away: it is named among the unreadable. The mark decides which schema a document is
 * held against.
 */
export function parsePage<C extends Collection>(collection: C, body: unknown): Page<Documents[C]> | undefined {
  const parsed = page.safeParse(body)
  if (!parsed.success) return undefined
  const documents: unknown[] = []
  const unreadable: string[] = []
  for (const document of parsed.data.documents) {
    const read = (isMarkedDeleted(document) ? deleted : documentOf[collection]).safeParse(document)
    if (read.success) documents.push(read.data)
    else {
      const name = named.safeParse(document)
      if (!name.success) return undefined
      unreadable.push(name.data.key)
    }
  }
  return { ...parsed.data, documents, unreadable } as Page<Documents[C]>
}

/**
 * The schema of a collection for RxDB, derived from the contract. No index beside the key: screens read whole
 * collections, and an index would cost every write.
 */
export function rxSchema<C extends Collection>(collection: C): RxJsonSchema<Documents[C]> {
  const { properties, required } = z.toJSONSchema(strict[collection], { io: 'output' })
  return {
    title: collection,
    version: 0,
    type: 'object',
    primaryKey: 'key',
    properties,
    required,
  } as unknown as RxJsonSchema<Documents[C]>
}

/** Tells one way of keeping the documents from another: a new one means a new database and a new pull, never a migration. */
export async function schemaHash(): Promise<string> {
  const text = JSON.stringify([rxSchema('events'), rxSchema('applications'), rxSchema('account'), pagesLayout])
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
