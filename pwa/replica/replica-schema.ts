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
} from '#shared/api/replication.ts'
import type { Page } from './pull.ts'

export interface Documents {
  readonly events: EventDocument
  readonly applications: ApplicationDocument
  readonly account: AccountDocument
}

/** A newer server may send fields this app does not know yet: they are left out, not a reason to stop following it. */
function lenient(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodObject) {
    return z.object(Object.fromEntries(Object.entries(schema.shape as Record<string, z.ZodType>).map(([name, field]) => [name, lenient(field)])))
  }
  if (schema instanceof z.ZodNullable) return lenient(schema.unwrap() as z.ZodType).nullable()
  if (schema instanceof z.ZodArray) return z.array(lenient(schema.element as z.ZodType))
  return schema
}

const strict = { events: eventDocument, applications: applicationDocument, account: accountDocument } as const

function pageOf(document: z.ZodType) {
  // Told apart by its mark first, so that a broken document is not reported as a broken tombstone.
  const pulled = z.union([z.object(tombstone.shape), lenient(document)])
  return z.object({ documents: z.array(pulled), checkpoint: z.object(checkpoint.shape), head: z.int() })
}

const pages = { events: pageOf(strict.events), applications: pageOf(strict.applications), account: pageOf(strict.account) }

/** A page of the change feed as this app understands it; undefined when it is none. */
export function parsePage<C extends Collection>(collection: C, body: unknown): Page<Documents[C]> | undefined {
  const { data } = pages[collection].safeParse(body)
  return data as Page<Documents[C]> | undefined
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

/** Tells one set of schemas from another: a new one means a new database and a new pull, never a migration. */
export async function schemaHash(): Promise<string> {
  const text = JSON.stringify([rxSchema('events'), rxSchema('applications'), rxSchema('account')])
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
