import * as z from 'zod'
import type { RxJsonSchema } from 'rxdb'
import type { Collection } from '#shared/sync/collections.ts'
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
import type { Page } from '../follow/pull.ts'
import { compileReader, unreadable as refused } from './compiled-reader.ts'
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
  more: z.boolean().optional(),
  keepSettledHours: z.number().optional(),
})
const named = z.object({ key: z.string().min(1).max(20) })
const readTombstone = compileReader(tombstone)
const readDocument = {
  events: compileReader(strict.events),
  applications: compileReader(strict.applications),
  account: compileReader(strict.account),
}

const isTombstone = (document: unknown) =>
  typeof document === 'object' && document !== null && '_deleted' in document && document._deleted === true

/**
 * Undefined when the body is no page of the change feed. A newer server's document is named among the unreadable and
 * leaves the others alone.
 */
export function parsePage<C extends Collection>(collection: C, body: unknown): Page<Documents[C]> | undefined {
  const parsed = page.safeParse(body)
  if (!parsed.success) return undefined
  const documents: unknown[] = []
  const unreadable: string[] = []
  for (const document of parsed.data.documents) {
    const read = (isTombstone(document) ? readTombstone : readDocument[collection])(document)
    if (read !== refused) documents.push(read)
    else {
      const name = named.safeParse(document)
      if (!name.success) return undefined
      unreadable.push(name.data.key)
    }
  }
  return { ...parsed.data, documents, unreadable } as Page<Documents[C]>
}

/** Only the key: screens read whole collections, and an index would cost every write. */
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

/** Another hash means another database and a new pull: the build writes it into the app as `COPY_LAYOUT`. */
export async function schemaHash(): Promise<string> {
  const text = JSON.stringify([rxSchema('events'), rxSchema('applications'), rxSchema('account'), pagesLayout])
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
