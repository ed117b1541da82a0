import { transition } from '../../follow/follow-machine.ts'
import { followServer, type Following } from '../../follow/follow-server.ts'
import { manageReplica, type CopiesTerms, type OpenCopy } from '../../replica/copies.ts'
import { createProgress, watchAcknowledged } from '../../follow/progress.ts'
import { createPageSize, pullPages, type Page } from '../../follow/pull.ts'
import type { SyncMeta } from '../../replica/sync-meta.ts'
import { offerAgain, pruneSettled, usualKeepHours } from '../../drain/offer-again.ts'
import type { Timers } from '../../drain/wake.ts'
import { acknowledgedAmong, settle, type ReplicaView } from '../../drain/settle.ts'
import { emptyReplica } from './sim-device.ts'
import { fetchPage, writePage, type Row } from './sim-pull.ts'
import { openSimStream } from './sim-stream.ts'
import { deliver, olivia, type Scene, type SimContext, type SimDevice } from './sim-stage.ts'

interface Copy extends OpenCopy {
  readonly following: Following
  lookForAcknowledged(): void
}

/** Follows the server on a page with the production modules: which copy, when to ask, what to settle, what to offer again. */
export function follow(scene: Scene, device: SimDevice, context: SimContext): void {
  const { world, canary, meet } = scene
  const timers: Timers = {
    after: (milliseconds, callback) => world.after(milliseconds, () => deliver(context, callback)),
  }
  let wakeUp = () => {}
  let begun = world.now()
  let copy: Copy | undefined

  const terms: CopiesTerms<Copy> = {
    userId: olivia,
    readMeta: async () => device.meta,
    writeMeta: async (meta) => void (device.meta = meta),
    async askEpoch() {
      const answer = await fetchPage(scene, device, context, 'account', [])(undefined, 1)
      if (answer.status !== 200 || !answer.isOurs) throw new Error('not our server')
      return (answer.body as Page<Row>).epoch
    },
    async run(meta, { onReset }) {
      copy = openCopy(scene, device, context, timers, meta, (reset) => {
        meet(`reset: ${reset.reason}`)
        onReset(reset)
      })
      return copy
    },
    async offerAgain(epoch) {
      // Rows go back with the server, until those who know better have said so again.
      device.replica.isLoaded = false
      const offered = await (canary.offerAgain ?? offerAgain)(context.store, olivia, epoch)
      meet('offered again', offered)
      if (offered > 0) void context.replayer.wake('stream-opened')
    },
    onExchange() {
      device.replica.isLoaded = false
      scene.screens.get(device)?.forget()
    },
    onStorageFails: (fails) => fails && meet('storage fails again and again'),
    pause: (milliseconds) =>
      new Promise((resolve) => {
        wakeUp = resolve
        timers.after(milliseconds, resolve)
      }),
    wakeUp: () => wakeUp(),
    newKey: () => `copy ${++begun}`,
    now: world.now,
    random: world.random,
  }
  const copies = manageReplica(terms)

  device.follower = {
    context,
    queueChanged: () => deliver(context, () => copy?.lookForAcknowledged()),
    wake: () => deliver(context, () => copy?.following.wake()),
    hurry: () => deliver(context, () => copy?.following.retrySoon()),
    resume: () =>
      deliver(context, () => {
        wakeUp()
        copy?.following.resync()
      }),
    close: () => void copies.close(),
  }
}

/** One copy, which is on the device's disk and outlives its pages. */
function openCopy(
  scene: Scene,
  device: SimDevice,
  context: SimContext,
  timers: Timers,
  meta: SyncMeta,
  onReset: Parameters<CopiesTerms<Copy>['run']>[1]['onReset'],
): Copy {
  const { world, canary, meet } = scene
  const { epoch, copy } = meta
  if (device.replica.copy !== copy) {
    if (!canary.keepsCopyOnReset || device.replica.epoch !== epoch)
      device.replica = { ...emptyReplica(device.replica.changes + 1), epoch, copy }
    scene.screens.get(device)?.forget()
  }
  const replica = device.replica
  const progress = createProgress()
  if (replica.positions.account) progress.follow(meta.heads)
  let closed = false
  let isPruned = false
  const account = () => device.disk.entries.filter(({ userId }) => userId === olivia)

  const settleNow = async () => {
    if (closed) return
    const view: ReplicaView = {
      epoch,
      appliedVersion: progress.appliedVersion(),
      versionOf: (collection, key) => replica[collection].get(key)?.version,
      pulledSince: progress.pulledSince(),
      hasPassed: progress.hasPassed,
    }
    const { store, replayer } = context
    meet('settled', await settle({ store, wake: replayer.wake }, olivia, view, world.now()))
    if (isPruned || !progress.isComplete()) return
    isPruned = true
    await pruneSettled(store, olivia, usualKeepHours, world.now())
  }
  const settleSoon = () => void settleNow().catch(() => meet('storage failed'))

  const following = followServer(
    {
      progress,
      async pull(scope, signal, acknowledged) {
        const pages = {
          fetchPage: fetchPage(scene, device, context, scope, acknowledged),
          parsePage: (body: unknown) => body as Page<Row>,
          epoch,
          checkpoint: replica.positions[scope]?.checkpoint,
          pageSize: createPageSize([2 + world.below(3)]),
        }
        return await pullPages<Row>(pages, async ({ documents, version, checkpoint }) => {
          if (signal.aborted) return
          await writePage(scene, device, context, replica, scope, documents, { version, checkpoint })
        })
      },
      openStream: async () => {
        const opened = await openSimStream(scene, device, context)
        return canary.hears && opened.kind === 'open'
          ? { ...opened, pieces: canary.hears(opened.pieces, timers) }
          : opened
      },
      timers,
      now: world.now,
      random: world.random,
      isVisible: () => true,
      acknowledged: () => acknowledgedAmong(account(), olivia, epoch),
      onLive: () => void context.replayer.wake('stream-opened'),
      onProgress() {
        const heads = progress.heads()
        replica.head = heads.org ?? 0
        replica.isLoaded ||= progress.isComplete()
        replica.changes++
        device.meta = { userId: olivia, epoch, copy, heads, asOf: null }
        settleSoon()
      },
      onPulled: () => undefined,
      onReset,
    },
    canary.machine?.(transition),
  )
  const lookForAcknowledged = watchAcknowledged({ progress, fetchSoon: following.fetchSoon, settle: settleSoon })
  return {
    following,
    lookForAcknowledged: () => lookForAcknowledged(account()),
    async close() {
      closed = true
      await following.stop()
    },
  }
}
