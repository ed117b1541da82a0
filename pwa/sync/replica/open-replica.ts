import { call } from '../http/call.ts'
import { serverEpoch } from '../http/reachability.ts'
import { offerAgain } from '../drain/offer-again.ts'
import { outboxStore, replayer } from '../queue/store/opened-outbox.ts'
import { manageReplica } from './copies.ts'
import { offeredAgain } from './pending-entries.ts'
import { replicaState, type ReplicaState } from './replica-state.ts'
import { pullPatienceMs, runReplica, type OpenReplica } from '../follow/run-replica.ts'
import { readSyncMeta, writeSyncMeta } from './sync-meta.ts'

export { openSyncMeta } from './sync-meta.ts'

export function openReplica(userId: number): OpenReplica {
  let closed = false
  let wakeUp = () => {}

  const show = (part: Partial<ReplicaState>) => {
    const state = replicaState.get()
    if (!closed && state.userId === userId) replicaState.set({ ...state, ...part })
  }

  const copies = manageReplica({
    userId,
    readMeta: () => readSyncMeta(userId),
    writeMeta: writeSyncMeta,
    // Every answer names it; another question is a round trip more.
    askEpoch: async (signal) =>
      serverEpoch.get() ?? (await call('pull', { query: { collection: 'account', limit: 1 }, signal })).epoch,
    run: (meta, terms) => runReplica(meta, { show, ...terms }),
    async offerAgain(epoch) {
      const offered = await offerAgain(outboxStore, userId, epoch, Date.now())
      if (offered > 0) offeredAgain.set(offeredAgain.get() + offered)
      if (offered > 0) void replayer.wake('stream-opened').catch(() => undefined)
    },
    onExchange: () => show({ status: 'loading', epoch: undefined, asOf: null, appliedVersion: 0, copiedPercent: null }),
    onStorageFails: (storageFails) => show({ storageFails }),
    pause: (milliseconds) => Promise.race([after(milliseconds), new Promise<void>((resolve) => (wakeUp = resolve))]),
    wakeUp: () => wakeUp(),
    now: () => performance.now(),
    random: Math.random,
  })

  return {
    resume() {
      wakeUp()
      copies.running()?.resume()
    },
    async pull() {
      wakeUp()
      // Opening may wait for the server or the storage.
      if (!copies.running()) await Promise.race([copies.opened, after(pullPatienceMs)])
      return (await copies.running()?.pull()) ?? false
    },
    async close() {
      closed = true
      await copies.close()
    },
  }
}

const after = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))
