import type { Checkpoint } from '#shared/api/replication.ts'
import { pullAll, type PageAnswer } from '../../replica/pull.ts'
import { acknowledgedSeqs, settle } from '../settle.ts'
import { problem, type ModelDocument } from './model-server.ts'
import { deliver, emptyReplica, kill, type SimContext, type SimDevice } from './sim-device.ts'
import { olivia, otto, pageOf, type Scene } from './sim-scene.ts'
import { appliedVersion, epochOf } from './sim-screen.ts'

type Row = ModelDocument & { _deleted?: true }

/** One page of one collection over the road as it is now. */
function fetchPage(scene: Scene, device: SimDevice, context: SimContext, collection: 'events' | 'applications') {
  const { world, server, canary, network } = scene
  return (checkpoint: Checkpoint | undefined, limit: number) =>
    new Promise<PageAnswer>((resolve, reject) => {
      const { weather } = network
      const wait = 5 + world.random() * weather.slowestMs
      const after = (run: () => void) => world.after(wait, () => deliver(context, run))
      if (!device.isOnline || world.chance(weather.dropBefore))
        return void after(() => reject(new TypeError('Failed to fetch')))
      if (world.chance(weather.portal))
        return void after(() =>
          resolve({
            status: 200,
            isOurs: false,
            body: { documents: [], checkpoint: { epoch: '1', version: 99 }, head: 99 },
          }),
        )
      if (device.session !== olivia)
        return void after(() => resolve({ status: 401, isOurs: true, body: problem('session_expired') }))
      const epoch = String(server.epoch)
      if (checkpoint && (checkpoint.epoch !== epoch || checkpoint.version > server.version)) {
        return void after(() => resolve({ status: 410, isOurs: true, body: problem('reset') }))
      }
      const { rows, head } = (canary.pull ?? server.pull.bind(server))(
        collection,
        checkpoint?.version ?? 0,
        limit,
        server,
      )
      const last = rows.at(-1)
      const documents = rows.map((row) => row.document ?? { key: row.key, version: row.version, _deleted: true })
      const version = rows.length === limit && last ? last.version : head
      after(() => resolve({ status: 200, isOurs: true, body: { documents, checkpoint: { epoch, version }, head } }))
    })
}

async function pullOne(
  scene: Scene,
  device: SimDevice,
  context: SimContext,
  collection: 'events' | 'applications',
): Promise<'done' | 'reset' | 'failed'> {
  const { world, canary } = scene
  const outcome = await pullAll<Row>({
    fetchPage: fetchPage(scene, device, context, collection),
    parsePage: (body) => body as { documents: Row[]; checkpoint: Checkpoint; head: number },
    checkpoint: device.replica.checkpoints[collection],
    limit: 2 + world.below(3),
  })
  if (outcome.kind === 'reset') return 'reset'
  if (outcome.kind !== 'pulled') return 'failed'
  const { replica } = device
  // The copy's name carries its epoch: documents of another one never get into it.
  if (replica.epoch !== undefined && replica.epoch !== outcome.checkpoint.epoch) return 'reset'
  const writeDocuments = () => {
    replica.epoch = outcome.checkpoint.epoch
    for (const document of outcome.documents as Row[]) {
      const known = replica[collection].get(document.key)
      if (known && known.version > document.version)
        scene.blame(`P7 ${device.name}: ${collection} ${document.key} went back to version ${document.version}`)
      if (document._deleted) replica[collection].delete(document.key)
      else replica[collection].set(document.key, document)
    }
    replica.changes++
  }
  const writeCheckpoint = () => {
    replica.checkpoints[collection] = outcome.checkpoint
    replica.heads[collection] = outcome.head
    replica.changes++
  }
  const steps = canary.checkpointFirst ? [writeCheckpoint, writeDocuments] : [writeDocuments, writeCheckpoint]
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
  return 'done'
}

/** A page brings its device's copy up to date, starting anew after a reset, and lets go of what the copy holds. */
export async function sync(scene: Scene, device: SimDevice): Promise<void> {
  const { canary, meet, world } = scene
  const context = pageOf(device)
  if (!context || context.isFrozen || context.isPulling || device.disk.account === otto) return
  context.isPulling = true
  try {
    for (let attempt = 0; attempt < 2; attempt++) {
      const seqs = await acknowledgedSeqs(context.store, olivia)
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
      const { replica } = device
      const view = {
        epoch: epochOf(device),
        appliedVersion: appliedVersion(device),
        versionOf: (collection: 'events' | 'applications', key: string) => replica[collection].get(key)?.version,
        pulledSince: seqs,
      }
      const removed = await settle(
        { store: context.store, wake: (reason) => canary.sleepsAfterReset || context.replayer.wake(reason) },
        olivia,
        view,
        world.now() + device.clockOffset,
      )
      for (let count = 0; count < removed; count++) meet('settled')
      return
    }
  } catch {
    meet('storage failed')
  } finally {
    context.isPulling = false
  }
}
