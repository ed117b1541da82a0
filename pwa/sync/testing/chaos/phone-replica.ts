import * as z from 'zod'
import { collections, type Collection } from '#shared/sync/collections.ts'
import {
  accountDocument,
  applicationDocument,
  eventDocument,
  feedPosition,
  type FeedPosition,
  tombstone,
  type ApplicationDocument,
  type EventDocument,
} from '#shared/sync/replication-calls.ts'
import { headers as wire, isOurAnswer, requestFor } from '#shared/contract/request.ts'
import { createPageSize, type Page } from '../../follow/pull.ts'
import { pullAll } from '../pull-all.ts'
import { offerAgain } from '../../drain/offer-again.ts'
import type { OutboxStore } from '../../queue/store/outbox-store.ts'
import type { WakeReason } from '../../drain/wake.ts'
import { acknowledgedAmong, settle } from '../../drain/settle.ts'
import { parsed } from '../../queue/parsed.ts'

type Document = { readonly key: string; readonly version: number }

const pageOf = (document: z.ZodType) =>
  z.strictObject({
    documents: z.array(z.union([tombstone, document])),
    ...feedPosition,
    head: z.int(),
    more: z.boolean(),
    keepSettledHours: z.int(),
  })
const pages = {
  events: pageOf(eventDocument),
  applications: pageOf(applicationDocument),
  account: pageOf(accountDocument),
} as const

/** What a phone holds of what the server said. Kept in memory: RxDB's part is not what is tested here. */
export type PhoneReplica = ReturnType<typeof createPhoneReplica>

export function createPhoneReplica(options: {
  readonly deviceId: string
  readonly userId: number
  /** The queue as it is now: a phone that crashed has opened it again. */
  readonly queue: () => { store: OutboxStore; wake: (reason: WakeReason) => unknown }
  /** The phone's clock. */
  readonly now: () => number
}) {
  const documents = { events: new Map(), applications: new Map(), account: new Map() } as Record<
    Collection,
    Map<string, Document>
  >
  const positions: { [C in Collection]?: FeedPosition } = {}
  let resets = 0

  async function fetchPage(collection: Collection, checkpoint: string | undefined, limit: number) {
    const { url } = requestFor('pull', {}, { collection, limit, checkpoint })
    const answer = await fetch(url, {
      headers: { [wire.deviceId]: options.deviceId },
      signal: AbortSignal.timeout(5000),
    })
    return {
      status: answer.status,
      isOurs: isOurAnswer(answer.headers.get(wire.serverVersion)),
      body: parsed(await answer.text()),
    }
  }

  async function pullOne(collection: Collection): Promise<boolean | 'reset'> {
    const outcome = await pullAll<Document>({
      epoch: positions[collection]?.epoch,
      checkpoint: positions[collection]?.checkpoint,
      pageSize: createPageSize([200]),
      fetchPage: (after, limit) => fetchPage(collection, after, limit),
      parsePage: (body) => pages[collection].safeParse(body).data as Page<Document> | undefined,
    })
    if (outcome.kind === 'unreachable') return false
    if (outcome.kind === 'reset') {
      // Offered before anything is forgotten, as the app does: a phone that dies in between is told to begin anew once more.
      const { store, wake } = options.queue()
      const isBehind = outcome.reason === 'history'
      const offered = isBehind ? await offerAgain(store, options.userId, undefined, options.now()) : 0
      resets += 1
      for (const name of collections) {
        documents[name].clear()
        delete positions[name]
      }
      if (offered > 0) wake('stream-opened')
      return 'reset'
    }
    if (outcome.kind !== 'pulled') throw new Error(`a pull of ${collection} ended with ${outcome.kind}`)
    for (const document of outcome.documents) {
      if ('_deleted' in document) documents[collection].delete(document.key)
      else documents[collection].set(document.key, document)
    }
    positions[collection] = { ...outcome, version: outcome.head }
    return true
  }

  const appliedVersion = () => Math.min(positions.events?.version ?? 0, positions.applications?.version ?? 0)
  return {
    documents,
    events: () => [...documents.events.values()] as EventDocument[],
    applications: () => [...documents.applications.values()] as ApplicationDocument[],
    epoch: () => positions.events?.epoch,
    appliedVersion,
    /** How often it was begun anew because the server had gone back, or this copy was too old. */
    resets: () => resets,
    /** Fetches what is new and settles the queue. Answers whether every collection could be pulled. */
    async pull(): Promise<boolean> {
      const { store, wake } = options.queue()
      const pulledSince = acknowledgedAmong(await store.entriesOf(options.userId), options.userId)
      for (const collection of collections) {
        const end = await pullOne(collection)
        if (end === 'reset') return await this.pull()
        if (!end) return false
      }
      await settle(
        { store, wake },
        options.userId,
        {
          epoch: positions.events?.epoch,
          appliedVersion: appliedVersion(),
          versionOf: (collection, key) => documents[collection].get(key)?.version,
          pulledSince,
        },
        options.now(),
      )
      return true
    },
  }
}
