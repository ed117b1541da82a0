import { collections, scopes, type Scope } from '#shared/sync/collections.ts'
import type { AccountDocument, ApplicationDocument, EventDocument } from '#shared/sync/replication-calls.ts'
import { serverNow } from '../http/server-time.ts'
import { pullScope } from '../replica/collection-sync.ts'
import type { ReplicaState } from '../replica/replica-state.ts'

/** The server is asked again after this long. */
const againMs = 5_000

type Shown = Pick<ReplicaState, 'status' | 'epoch' | 'events' | 'applications' | 'account' | 'asOf' | 'appliedVersion'>

/**
 * Shows what the server answers while this device's storage does not: it is held in memory and kept nowhere.
 * @returns ends it
 */
export function showFromServer(show: (shown: Shown) => void): () => void {
  const ending = new AbortController()
  const { signal } = ending
  void (async () => {
    const copy = emptyCopy()
    while (!signal.aborted) {
      const shown = await copy.pull(signal)
      if (shown && !signal.aborted) show(shown)
      await new Promise<void>((resolve) => setTimeout(resolve, againMs))
    }
  })()
  return () => ending.abort()
}

interface Place {
  epoch: string | undefined
  checkpoint: string | undefined
  head: number
}

function emptyCopy() {
  const documents = {
    events: new Map<string, EventDocument>(),
    applications: new Map<string, ApplicationDocument>(),
    account: new Map<string, AccountDocument>(),
  }
  const places = new Map<Scope, Place>()

  async function pullOne(scope: Scope, signal: AbortSignal): Promise<boolean> {
    const from = places.get(scope) ?? { epoch: undefined, checkpoint: undefined }
    const end = await pullScope(scope, from, signal, async (page) => {
      for (const { collection, document } of page.documents) {
        if ('_deleted' in document) documents[collection].delete(document.key)
        else documents[collection].set(document.key, document as never)
      }
    })
    if (end.kind === 'reset') {
      places.clear()
      for (const one of collections) documents[one].clear()
    }
    if (end.kind === 'pulled') places.set(scope, end)
    return end.kind === 'pulled'
  }

  return {
    /** Returns undefined where not everything has arrived. */
    async pull(signal: AbortSignal): Promise<Shown | undefined> {
      const arrived = await Promise.all(scopes.map((scope) => pullOne(scope, signal).catch(() => false)))
      if (!arrived.every(Boolean)) return undefined
      return {
        status: 'ready',
        epoch: places.get('org')?.epoch,
        events: [...documents.events.values()],
        applications: [...documents.applications.values()],
        account: [...documents.account.values()][0] ?? null,
        asOf: serverNow().toISOString(),
        appliedVersion: places.get('org')?.head ?? 0,
      }
    },
  }
}
