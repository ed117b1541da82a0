import { collections, scopes, type Collection, type Scope } from '#shared/sync/collections.ts'
import type { ApplicationDocument, EventDocument, FeedPosition } from '#shared/sync/replication-calls.ts'
import { headers as wire, isOurAnswer, requestFor } from '#shared/contract/request.ts'
import { createPageSize, pullPages, type Page, type PullEnd } from '../../follow/pull.ts'
import { offerAgain } from '../../drain/offer-again.ts'
import type { OutboxStore } from '../../queue/store/outbox-store.ts'
import type { WakeReason } from '../../drain/wake.ts'
import { acknowledgedAmong, settle } from '../../drain/settle.ts'
import { parsed } from '#shared/text/parsed.ts'
import type { ReplicaDocuments } from '../../replica/fold.ts'
import { parsePage } from '../../replica/replica-schema.ts'

type Document = { readonly key: string; readonly version: number }

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
  const { userId, now } = options
  const documents: Record<Collection, Map<string, Document>> = {
    events: new Map(),
    applications: new Map(),
    account: new Map(),
  }
  const positions: { [S in Scope]?: FeedPosition } = {}
  let resets = 0

  async function fetchPage(scope: Scope, checkpoint: string | undefined, limit: number, names: string) {
    const { url } = requestFor('pull', {}, { scope, limit, checkpoint, acknowledged: names || undefined })
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

  async function pullOne(scope: Scope, acknowledged: readonly string[]): Promise<PullEnd> {
    const terms = {
      epoch: positions[scope]?.epoch,
      checkpoint: positions[scope]?.checkpoint,
      pageSize: createPageSize([200]),
      fetchPage: (after: string | undefined, limit: number) => fetchPage(scope, after, limit, acknowledged.join(',')),
      parsePage: (body: unknown) => parsePage(body) as Page<Document> | undefined,
    }
    const end = await pullPages<Document>(terms, (page) => {
      for (const { collection, document } of page.documents) {
        if ('_deleted' in document) documents[collection].delete(document.key)
        else documents[collection].set(document.key, document)
      }
      positions[scope] = page
    })
    if (end.kind === 'pulled') positions[scope] = { ...end, version: end.head }
    return end
  }

  async function beginAnew(reason: 'history' | 'horizon'): Promise<void> {
    // Offered before anything is forgotten, as the app does: a phone that dies in between is told to begin anew once more.
    const { store, wake } = options.queue()
    const offered = reason === 'history' ? await offerAgain(store, userId, undefined) : 0
    resets += 1
    for (const name of collections) documents[name].clear()
    for (const scope of scopes) delete positions[scope]
    if (offered > 0) wake('stream-opened')
  }

  const shown = () =>
    ({
      events: [...documents.events.values()] as EventDocument[],
      applications: [...documents.applications.values()] as ApplicationDocument[],
      epoch: positions.org?.epoch,
      appliedVersion: positions.org?.version ?? 0,
    }) satisfies ReplicaDocuments
  return {
    documents,
    shown,
    /** How often it was begun anew because the server had gone back, or this copy was too old. */
    resets: () => resets,
    /** Fetches what is new and settles the queue. Returns whether every scope could be pulled. */
    async pull(): Promise<boolean> {
      const { store, wake } = options.queue()
      const { seqs, checkpoints } = acknowledgedAmong(await store.entriesOf(userId), userId, shown().epoch)
      for (const scope of scopes) {
        const end = await pullOne(scope, checkpoints)
        if (end.kind === 'unreachable') return false
        if (end.kind === 'reset') {
          await beginAnew(end.reason)
          return await this.pull()
        }
        if (end.kind !== 'pulled') throw new Error(`a pull of ${scope} ended with ${end.kind}`)
      }
      const { epoch, appliedVersion } = shown()
      const versionOf = (name: Collection, key: string) => documents[name].get(key)?.version
      await settle({ store, wake }, userId, { epoch, appliedVersion, versionOf, pulledSince: seqs }, now())
      return true
    },
  }
}
