import type { Collection } from '#shared/sync/collections.ts'
import { followServer, type Following } from '../../follow/follow-server.ts'
import { manageReplica, type CopiesTerms, type OpenCopy } from '../../replica/copies.ts'
import { createCheckpoints, createProgress, watchAcknowledged } from '../../follow/progress.ts'
import { createPageSize, pullPages, type Page } from '../../follow/pull.ts'
import type { SyncMeta } from '../../replica/sync-meta.ts'
import { offerAgain, pruneSettled, usualKeepHours } from '../../drain/offer-again.ts'
import type { Timers } from '../../drain/wake.ts'
import { acknowledgedAmong, settle, type ReplicaView } from '../../drain/settle.ts'
import { deliver, emptyReplica, type SimContext, type SimDevice } from './sim-device.ts'
import { fetchPage, writePage, type Row } from './sim-pull.ts'
import { olivia, type Scene } from './sim-stage.ts'
import { openSimStream } from './sim-stream.ts'

/** What keeps a page's copy equal to the server, as its page drives it. */
export interface SimFollower {
  readonly context: SimContext
  /** The queue on disk has changed. */
  queueChanged(): void
  /** The page is looked at again, or hears of a network. */
  wake(): void
  /** Somebody signed in again. */
  resume(): void
  /** A change got through. */
  hurry(): void
  close(): void
}

interface Copy extends OpenCopy {
  readonly following: Following
  lookForAcknowledged(): void
}

const manyChanges = 20

/** Follows the server on a page with the production modules: which copy, when to ask, what to settle, what to offer again. */
export function follow(scene: Scene, device: SimDevice, context: SimContext): void {
  const { world, canary, meet } = scene
  const timers: Timers = {
    after: (milliseconds, callback) => world.after(milliseconds, () => deliver(context, callback)),
  }
  let wakeUp = () => {}
  let copy: Copy | undefined

  const terms: CopiesTerms<Copy> = {
    userId: olivia,
    readMeta: async () => device.meta,
    writeMeta: async (meta) => void (device.meta = meta),
    async askEpoch() {
      const answer = await fetchPage(scene, device, context, 'account')(undefined, 1)
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
      const offered = await (canary.offerAgain ?? offerAgain)(
        context.store,
        olivia,
        epoch,
        world.now() + device.clockOffset,
      )
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
  const { epoch, generation = 0 } = meta
  if (device.replica.epoch !== epoch || device.replica.generation !== generation) {
    if (!canary.keepsCopyOnReset || device.replica.epoch !== epoch)
      device.replica = { ...emptyReplica(device.replica.changes + 1), epoch, generation }
    scene.screens.get(device)?.forget()
  }
  const replica = device.replica
  const progress = createProgress()
  const checkpoints = createCheckpoints()
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
    }
    const { store, replayer } = context
    meet('settled', await settle({ store, wake: replayer.wake }, olivia, view, world.now()))
    if (isPruned || !progress.isComplete()) return
    isPruned = true
    await pruneSettled(store, olivia, usualKeepHours, world.now())
  }
  const settleSoon = () => void settleNow().catch(() => meet('storage failed'))

  const following = followServer({
    progress,
    async pull(name, signal) {
      const pages = {
        fetchPage: fetchPage(scene, device, context, name),
        parsePage: (body: unknown) => body as Page<Row>,
        epoch,
        checkpoint: replica.positions[name]?.checkpoint,
        pageSize: createPageSize([2 + world.below(3)]),
      }
      const end = await pullPages(pages, async ({ documents, version, checkpoint }) => {
        if (signal.aborted) return
        await writePage(scene, device, context, replica, name, documents as Row[], { version, checkpoint })
      })
      if (end.kind === 'pulled') checkpoints.pulled(name, end)
      return end
    },
    async writeCarried(poke) {
      const { carried, version } = poke
      if (!carried || !checkpoints.isContinuedBy(poke)) return false
      const written = { version, checkpoint: carried.to }
      meet('carried documents written')
      for (const [name, documents] of Object.entries(carried.documents) as [Collection, Row[]][])
        await writePage(scene, device, context, replica, name, canary.losesCarried ? [] : documents, written)
      checkpoints.written(poke)
      return true
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
    acknowledged: () => acknowledgedAmong(account(), olivia),
    needsPulls: () => account().some(({ acknowledged }) => acknowledged !== undefined && acknowledged.version === null),
    areManyLeaving: () => account().filter(({ state }) => state === 'sending').length >= manyChanges,
    onLive: () => void context.replayer.wake('stream-opened'),
    onProgress() {
      const heads = progress.heads()
      Object.assign(replica.heads, { events: heads.events ?? 0, applications: heads.applications ?? 0 })
      replica.isLoaded ||= progress.isComplete()
      replica.changes++
      device.meta = { userId: olivia, epoch, generation, heads, asOf: null }
      settleSoon()
    },
    onPulled: () => undefined,
    onReset,
  })
  const lookForAcknowledged = watchAcknowledged({ progress, fetchSoon: following.fetchSoon, settle: settleSoon })
  return {
    following,
    lookForAcknowledged() {
      following.fetchPutOff()
      lookForAcknowledged(account())
    },
    async close() {
      closed = true
      await following.stop()
    },
  }
}
