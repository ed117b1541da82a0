import { timings } from '../../browser/timings.ts'
import { call } from '../http/call.ts'
import { serverEpoch } from '../http/reachability.ts'
import { noteStorageFails, storageTrouble } from '../../browser/storage-trouble.ts'
import { offerAgain } from '../drain/offer-again.ts'
import { outboxStore, replayer } from '../queue/store/opened-outbox.ts'
import { actingNow } from '../../browser/acting.ts'
import { newKey } from '../queue/new-key.ts'
import { manageReplica } from './copies.ts'
import { offeredAgain } from './pending-entries.ts'
import { replicaState, type ReplicaState } from './replica-state.ts'
import { runReplica, type OpenReplica } from '../follow/run-replica.ts'
import { showFromServer } from '../follow/server-view.ts'
import { readSyncMeta, writeSyncMeta } from './sync-meta.ts'

export { openSyncMeta } from './sync-meta.ts'

export function openReplica(userId: number): OpenReplica {
  const member = actingNow()
  const team = member ? `${member.organizerId} ${member.role}` : undefined
  let closed = false
  let wakeUp = () => {}

  const put = (part: Partial<ReplicaState>) => {
    const state = replicaState.get()
    if (!closed && state.userId === userId) replicaState.set({ ...state, ...part })
  }
  /**
   * This is what the copy has. It is shown once it is as new as what the server showed while the storage did not
   * answer.
   */
  let own: Partial<ReplicaState> = {}
  let served: Pick<ReplicaState, 'epoch' | 'appliedVersion'> | undefined
  const show = (part: Partial<ReplicaState>) => {
    own = { ...own, ...part }
    if (served && served.epoch === own.epoch && (own.appliedVersion ?? 0) < served.appliedVersion) return
    served = undefined
    put(own)
  }

  let stopServing: (() => void) | undefined
  const lookAtStorage = () => {
    if (!storageTrouble.get()) {
      stopServing?.()
      stopServing = undefined
    } else if (replicaState.get().status !== 'ready') {
      stopServing ??= showFromServer((shown) => {
        served = shown
        put(shown)
      })
    }
  }
  const forgetStorage = storageTrouble.subscribe(lookAtStorage)
  lookAtStorage()

  const copies = manageReplica({
    userId,
    team,
    // A copy for another organizer, or in another role, is thrown away.
    readMeta: async () => {
      const meta = await readSyncMeta(userId)
      return meta?.team === team ? meta : undefined
    },
    writeMeta: writeSyncMeta,
    // Every answer names it; another question is a round trip more.
    askEpoch: async (signal) =>
      serverEpoch.get() ?? (await call('pull', { query: { scope: 'account', limit: 1 }, signal })).epoch,
    run: (meta, terms) => runReplica(meta, { show, ...terms }),
    async offerAgain(epoch) {
      const offered = await offerAgain(outboxStore, userId, epoch)
      if (offered > 0) offeredAgain.set(offeredAgain.get() + offered)
      if (offered > 0) void replayer.wake('stream-opened').catch(() => undefined)
    },
    onExchange: () => show({ status: 'loading', epoch: undefined, asOf: null, appliedVersion: 0, copiedPercent: null }),
    onStorageFails: (fails) => noteStorageFails('copy', fails),
    pause: (milliseconds) => Promise.race([after(milliseconds), new Promise<void>((resolve) => (wakeUp = resolve))]),
    wakeUp: () => wakeUp(),
    newKey,
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
      if (!copies.running()) await Promise.race([copies.opened, after(timings.pullPatienceMs)])
      return (await copies.running()?.pull()) ?? false
    },
    async close() {
      closed = true
      forgetStorage()
      stopServing?.()
      noteStorageFails('copy', false)
      await copies.close()
    },
  }
}

const after = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))
