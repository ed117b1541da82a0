import type { Scope } from '#shared/sync/collections.ts'
import type { Arrived, PageAnswer } from '../../follow/pull.ts'
import type { Written } from '../../replica/replica-pages.ts'
import { answerPull } from './model-history.ts'
import { problem, type ModelDocument } from '../model-server.ts'
import { kill } from './sim-device.ts'
import { deliver, olivia, type Scene, type SimContext, type SimDevice, type SimReplica } from './sim-stage.ts'

export type Row = ModelDocument & { readonly _deleted?: true }

/** The production app gives up a call that is not answered for so long, in milliseconds. */
const callPatienceMs = 20_000

/** One page of a scope over the road as it is now. */
export function fetchPage(
  scene: Scene,
  device: SimDevice,
  context: SimContext,
  scope: Scope,
  acknowledged: readonly string[],
) {
  const { world, server, canary, network } = scene
  return (checkpoint: string | undefined, limit: number) =>
    new Promise<PageAnswer>((resolve, reject) => {
      const { weather } = network
      const wait = 5 + world.random() * weather.slowestMs
      const after = (run: () => void) => world.after(wait, () => deliver(context, run))
      const fail = () => reject(new TypeError('Failed to fetch'))
      if (!device.isOnline && device.hangsOffline) return void world.after(callPatienceMs, () => deliver(context, fail))
      if (!device.isOnline || scene.isDown || world.chance(weather.dropBefore)) return void after(fail)
      if (world.chance(weather.portal)) {
        const body = { documents: [], epoch: '1', version: 99, checkpoint: '1.99', head: 99, more: false }
        return void after(() => resolve({ status: 200, isOurs: false, body }))
      }
      if (device.session !== olivia)
        return void after(() => resolve({ status: 401, isOurs: true, body: problem('session_expired') }))
      const { pull } = canary
      const answer = answerPull(
        server,
        scope,
        { checkpoint, acknowledged },
        limit,
        pull && ((version, max) => pull(version, max, server)),
      )
      after(() => resolve(canary.answers?.(answer) ?? answer))
    })
}

/** Writes a page into a copy: its documents and its checkpoint in one transaction, after which the page of the app may die. */
export async function writePage(
  { world, hasHealed, meet, canary }: Scene,
  device: SimDevice,
  context: SimContext,
  replica: SimReplica,
  scope: Scope,
  documents: readonly Arrived<Row>[],
  { version, checkpoint = '' }: Written,
): Promise<void> {
  const writeDocuments = () => {
    for (const { collection, document } of documents) {
      if (collection === 'account') continue
      const place = `${collection} ${document.key}`
      if ((replica.versions.get(place) ?? 0) >= document.version) continue
      replica.versions.set(place, document.version)
      if (document._deleted) replica[collection].delete(document.key)
      else replica[collection].set(document.key, document as Row)
    }
  }
  if (!canary.writesCheckpointFirst) writeDocuments()
  if (version >= (replica.positions[scope]?.version ?? 0))
    replica.positions[scope] = { epoch: replica.epoch ?? '', version, checkpoint }
  replica.changes++
  await new Promise<void>((resolve) => {
    if (!hasHealed && world.chance(0.03)) {
      meet('crash')
      kill(device, context)
    } else world.after(1, () => deliver(context, resolve))
  })
  if (canary.writesCheckpointFirst) writeDocuments()
}
