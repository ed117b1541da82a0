import { offerReceiptsAgain, usualKeepHours } from '../../drain/offer-again.ts'
import { type Row, toEntry, toRow } from '../../queue/store/outbox-store.ts'
import type { Entry } from '../../queue/entry.ts'
import { damages } from '../damaged-rows.ts'
import { purgeTombstones, restore, snapshotOf, type Snapshot } from './model-history.ts'
import { kill } from './sim-device.ts'
import { deliver, pageOf, streamFates, type Scene, type SimDevice } from './sim-stage.ts'

/** Words for refusals that the app of today has never heard, each a refusal all the same. */
const newRefusals = [
  { status: 409, code: 'hall_is_full' },
  { status: 422, code: 'question_withdrawn' },
  { status: 451, code: 'forbidden_by_law' },
]

/** How long a restore takes, at most. */
const longestDownMs = 8000

/** Plans which recovery roads a history travels, within so many milliseconds. */
export function planRoads(scene: Scene, withinMs: number): void {
  const { world } = scene
  const at = (run: () => void) =>
    world.after(500 + world.random() * withinMs, () => {
      if (!scene.hasHealed) run()
    })
  if (world.chance(0.5)) planRestore(scene, withinMs)
  if (world.chance(0.25)) at(() => purge(scene))
  if (world.chance(0.25)) at(() => beginEpoch(scene))
  if (world.chance(0.3)) at(() => damage(scene, world.pick(scene.devices)!))
  if (world.chance(0.3)) at(() => refuseAnew(scene))
  if (world.chance(0.4)) at(() => (scene.streamFate = world.pick(streamFates)))
  for (const device of scene.organizers) if (device.isOldApp) at(() => update(scene, device))
}

/** A copy of the database is made, life goes on, and the copy takes its place. */
function planRestore(scene: Scene, withinMs: number): void {
  const { world, server, meet } = scene
  const isSaid = world.chance(0.6)
  world.after(world.random() * withinMs * 0.6, () => {
    const copy = snapshotOf(server)
    world.after(2000 + world.random() * withinMs * 0.5, () => {
      if (scene.hasHealed) return
      const isNoticed = isSaid || copy.epoch !== server.epoch || !canTell(scene, copy)
      if (copy.version < server.version) meet(isNoticed ? 'restore' : 'restore that nobody says')
      scene.wentBackUnsaid ||= !isNoticed
      restore(server, copy, isNoticed)
      for (const stream of scene.streams) stream.end()
      scene.isDown = true
      world.after(1000 + world.random() * longestDownMs, () => (scene.isDown = false))
      if (isNoticed) for (const device of scene.devices) hearEpoch(scene, device)
    })
  })
}

/**
 * Whether the ids of the history tell every organizer's device: by its copy, which is not so old that it is begun anew, or
 * by the answers to its changes. A device that has no copy cannot know, and what it was told since is not promised: its
 * operator has to say it.
 */
function canTell({ organizers, server }: Scene, to: Snapshot): boolean {
  return organizers.every(
    ({ replica: { positions } }) =>
      positions.org?.epoch === String(to.epoch) && positions.org.version >= server.horizon,
  )
}

/** Any answer names the epoch; a device that hears of another one offers its volunteers' applications again. */
export function hearEpoch(scene: Scene, device: SimDevice): void {
  const { world, server, meet } = scene
  world.after(world.random() * 4000, () => {
    const page = pageOf(device)
    if (!page || !device.isOnline) return
    deliver(page, () => {
      const epoch = String(server.epoch)
      const offer = async () => {
        const offered = await offerReceiptsAgain(page.store, epoch, usualKeepHours, world.now())
        meet('application offered again', offered)
        if (offered > 0) void page.replayer.wake('stream-opened')
      }
      offer().catch(() => meet('storage failed'))
    })
  })
}

/** `npm run new-epoch`: everything stays as it is, and every copy is begun anew. */
function beginEpoch({ server, streams, meet }: Scene): void {
  meet('new epoch')
  server.epoch++
  for (const stream of streams) stream.say('resync', {})
}

/** By then every device has noticed a database that went back: tombstones are kept for longer than what was settled. */
function purge({ server, meet, wentBackUnsaid }: Scene): void {
  if (wentBackUnsaid) return
  meet('tombstones purged')
  purgeTombstones(server)
}

function damage(scene: Scene, device: SimDevice): void {
  const { world, canary, meet } = scene
  const waiting = device.disk.entries.filter(({ attempts, state }) => attempts === 0 && state !== 'parked')
  const entry = world.pick(waiting)
  if (!entry) return
  meet('damaged')
  scene.ledgers.get(device)!.damaged(entry)
  const [, damageRow] = world.pick(damages)!
  const row = damageRow(toRow(entry)) as Row
  const left = (canary.damaged ?? toEntry)(row)
  device.disk.entries = device.disk.entries.flatMap((one): Entry[] => (one !== entry ? [one] : left ? [left] : []))
}

function refuseAnew({ world, server, meet }: Scene): void {
  meet('new refusal')
  server.newRefusal = world.pick(newRefusals)!
  world.after(world.random() * 6000, () => (server.newRefusal = undefined))
}

/** The new version takes over: pages and worker are ended and begun, whatever was on its way. */
function update(scene: Scene, device: SimDevice): void {
  if (device.disk.entries.some(({ state }) => state !== 'parked')) scene.meet('update with a queue')
  if (device.disk.entries.some(({ attempts, state }) => attempts > 0 && state !== 'acknowledged'))
    scene.meet('update with a sent change')
  const names = device.contexts.map(({ name }) => name)
  for (const context of device.contexts) kill(device, context)
  device.isOldApp = false
  for (const name of names) scene.start(device, name)
}

/**
 * Life goes on: a change that is made elsewhere, which is told to all. A copy that stands at the very version the server is at
 * now in another history learns of it from the next one only.
 */
export function changeElsewhere({ server, world }: Scene): void {
  world.after(10_000, () =>
    server.write('events', 500, { name: 'Elsewhere', basis: null, edition: 1, customQuestions: [] }),
  )
}
