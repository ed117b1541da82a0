import { followPending } from '../follow/follow-pending.ts'
import type { OpenReplica } from '../follow/run-replica.ts'
import { ifAnswered } from '../../browser/page-storage.ts'
import { fetchReplica } from '../on-demand.ts'
import { outboxStore } from '../queue/outbox.ts'
import { finishDiscards } from './durable-discards.ts'
import { deleteReplicas } from '../replica/replica-names.ts'
import { emptyReplica, replicaState } from '../replica/replica-state.ts'
import { forgetSyncMeta } from '../replica/sync-meta.ts'

/** It is undefined before the first call. */
let userId: number | null | undefined
let work: Promise<OpenReplica | null> = Promise.resolve(null)

/**
 * Shows an account's copy and queue, and keeps the copy equal to the server. RxDB is loaded for it.
 * @param asksServer the session is alive: the server is asked at once, also where the account is open already
 */
export function openAccount(next: number, { asksServer }: { readonly asksServer: boolean }): void {
  if (next !== userId) change(next)
  if (asksServer) void work.then((open) => open?.resume())
}

/** Deletes the copies of accounts from this device, if no one is signed in, and shows a visitor's queue alone. */
export function closeAccount(): void {
  if (userId !== null) change(null)
}

function change(next: number | null): void {
  userId = next
  void finishDiscards(next).catch(() => undefined)
  followPending(next)
  replicaState.set(next === null ? emptyReplica : { ...emptyReplica, status: 'loading', userId: next })
  work = work
    .then((open) => open && ifAnswered(open.close()))
    .then(async () => {
      if (userId !== next) return null
      if (next === null) {
        // By now another tab may have signed someone in, whose copy is being made.
        const seen = await ifAnswered(outboxStore.change([], ({ account }) => ({ result: account })))
        if (seen && seen.result == null) await ifAnswered(Promise.allSettled([deleteReplicas(), forgetSyncMeta()]))
        return null
      }
      const { openReplica } = await fetchReplica()
      return openReplica(next)
    })
    .catch(() => null)
}

/** @returns whether everything new is here; null when no account is open */
export async function pullAccount(): Promise<boolean | null> {
  const open = await work
  return open ? await open.pull() : null
}
