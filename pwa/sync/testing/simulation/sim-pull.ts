import type { Collection } from '#shared/sync/collections.ts'
import { createPageSize, type Page, type PageAnswer } from '../../follow/pull.ts'
import type { PageSet, Written } from '../../replica/page-set.ts'
import { pullAll } from '../pull-all.ts'
import { acknowledgedAmong, settle, type ReplicaView } from '../../drain/settle.ts'
import type { WakeReason } from '../../drain/wake.ts'
import { answerPull } from './model-history.ts'
import { problem, type ModelDocument } from '../model-server.ts'
import { deliver, emptyReplica, kill, type SimContext, type SimDevice, type SimReplica } from './sim-device.ts'
import { olivia, otto, pageOf, type Scene } from './sim-stage.ts'
import { writePages } from './sim-pages.ts'
import { appliedVersion, epochOf } from './sim-screen.ts'

export type Row = ModelDocument & { readonly _deleted?: true }

/** The production app gives up a call that is not answered for so long, in milliseconds. */
const callPatienceMs = 20_000

/** One page of one collection over the road as it is now. */
export function fetchPage(scene: Scene, device: SimDevice, context: SimContext, collection: Collection) {
  const { world, server, canary, network } = scene
  return (checkpoint: string | undefined, limit: number) =>
    new Promise<PageAnswer>((resolve, reject) => {
      const { weather } = network
      device.asks.push(world.now())
      const wait = 5 + world.random() * weather.slowestMs
      const after = (run: () => void) => world.after(wait, () => deliver(context, run))
      const fail = () => reject(new TypeError('Failed to fetch'))
      if (scene.follows && !device.isOnline && device.hangsOffline)
        return void world.after(callPatienceMs, () => deliver(context, fail))
      if (!device.isOnline || scene.isDown || world.chance(weather.dropBefore)) return void after(fail)
      if (scene.pullsFail) return void after(() => resolve({ status: 403, isOurs: false, body: undefined }))
      if (world.chance(weather.portal))
        return void after(() =>
          resolve({
            status: 200,
            isOurs: false,
            body: { documents: [], epoch: '1', version: 99, checkpoint: '1.99', head: 99 },
          }),
        )
      if (device.session !== olivia)
        return void after(() => resolve({ status: 401, isOurs: true, body: problem('session_expired') }))
      const { pull } = canary
      const answer = answerPull(
        server,
        collection,
        checkpoint,
        limit,
        pull && ((name, version, most) => pull(name, version, most, server)),
      )
      after(() => resolve(canary.answers?.(answer) ?? answer))
    })
}

async function pullOne(
  scene: Scene,
  device: SimDevice,
  context: SimContext,
  collection: 'events' | 'applications',
): Promise<'done' | 'reset' | 'failed'> {
  const { world } = scene
  const outcome = await pullAll<Row>({
    fetchPage: fetchPage(scene, device, context, collection),
    parsePage: (body) => body as Page<Row>,
    epoch: device.replica.positions[collection]?.epoch,
    checkpoint: device.replica.positions[collection]?.checkpoint,
    pageSize: createPageSize([2 + world.below(3)]),
  })
  if (outcome.kind === 'reset') return 'reset'
  if (outcome.kind !== 'pulled') return 'failed'
  const { replica } = device
  // The copy's name carries its epoch: documents of another one never get into it.
  if (replica.epoch !== undefined && replica.epoch !== outcome.epoch) return 'reset'
  const writeDocuments = () => {
    replica.epoch = outcome.epoch
    writeRows(replica, collection, outcome.documents as Row[])
  }
  const writeCheckpoint = () => {
    replica.positions[collection] = outcome
    replica.heads[collection] = outcome.head
    replica.changes++
  }
  const inOrder = [writeDocuments, writeCheckpoint]
  await takeSteps(scene, device, context, scene.canary.checkpointFirst ? inOrder.toReversed() : inOrder)
  return 'done'
}

/** Writes a page into a copy: its documents and its checkpoint in one transaction, after which the page may die. */
export async function writeSteps(
  scene: Scene,
  device: SimDevice,
  context: SimContext,
  replica: SimReplica,
  held: PageSet,
  documents: readonly Row[],
  written: Written,
): Promise<void> {
  const write = () => {
    if (writePages(scene, replica, held, documents, written) === 'torn') kill(device, context)
  }
  await takeSteps(scene, device, context, [write])
}

function writeRows(replica: SimReplica, collection: 'events' | 'applications', documents: readonly Row[]): void {
  for (const document of documents) {
    if (document._deleted) replica[collection].delete(document.key)
    else replica[collection].set(document.key, document)
  }
  replica.changes++
}

async function takeSteps(
  scene: Scene,
  device: SimDevice,
  context: SimContext,
  steps: readonly (() => void)[],
): Promise<void> {
  const { world } = scene
  for (const step of steps) {
    step()
    // A page may die between the two writes.
    await new Promise<void>((resolve) => {
      if (!scene.hasHealed && world.chance(0.03)) {
        scene.meet('crash')
        kill(device, context)
      } else world.after(1, () => deliver(context, resolve))
    })
  }
}

/** Takes what a copy shows by now off the queue. */
export async function letGo(
  { canary, meet }: Scene,
  { store, replayer }: SimContext,
  replica: SimReplica,
  view: Omit<ReplicaView, 'versionOf'>,
  now: number,
): Promise<void> {
  const wake = (reason: WakeReason) => canary.sleepsAfterReset || replayer.wake(reason)
  const versionOf: ReplicaView['versionOf'] = (collection, key) => replica[collection].get(key)?.version
  meet('settled', await settle({ store, wake }, olivia, { ...view, versionOf }, now))
}

/** A page brings its device's copy up to date, starting anew after a reset, and lets go of what the copy holds. */
export async function sync(scene: Scene, device: SimDevice): Promise<void> {
  const { meet, world } = scene
  const context = pageOf(device)
  if (!context || context.isFrozen || context.isPulling || device.disk.account === otto) return
  context.isPulling = true
  try {
    for (let attempt = 0; attempt < 2; attempt++) {
      const seqs = acknowledgedAmong(await context.store.entriesOf(olivia), olivia)
      const isReset = await (async () => {
        for (const collection of ['events', 'applications'] as const) {
          const end = await pullOne(scene, device, context, collection)
          if (end === 'reset') return true
          if (end === 'failed') return undefined
        }
        return false
      })()
      if (isReset === undefined) return
      if (isReset) {
        meet('reset')
        device.replica = emptyReplica(device.replica.changes + 1)
        scene.screens.get(device)?.forget()
        continue
      }
      device.replica.isLoaded = true
      const view = { epoch: epochOf(device), appliedVersion: appliedVersion(device), pulledSince: seqs }
      return await letGo(scene, context, device.replica, view, world.now() + device.clockOffset)
    }
  } catch {
    meet('storage failed')
  } finally {
    context.isPulling = false
  }
}
