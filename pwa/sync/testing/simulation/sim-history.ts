import { isOfHistory } from './model-history.ts'
import { checkEnd } from './sim-ledger.ts'
import { misfortune } from './sim-misfortunes.ts'
import { fairWeather } from './sim-network.ts'
import { act, applyAsGuest, signIn, tidyUp } from './sim-people.ts'
import { changeElsewhere, hearEpoch, planRoads } from './sim-roads.ts'
import { createScene } from './sim-scene.ts'
import { appliedVersion, epochOf } from './sim-screen.ts'
import { olivia, pageOf, thaw, type Canary, type Scene } from './sim-stage.ts'

export interface HistoryResult {
  /** Broken promises, in the order they broke; empty for a good history. */
  readonly problems: readonly string[]
  /** What happened and how often: a run that met nothing proves nothing. */
  readonly met: Readonly<Record<string, number>>
}

const activeMs = 30_000
/** Longer than any wait between two tries. */
const healMs = 600_000

/** Lives one history: two phones of Olivia's and a volunteer's, a server, and whatever one seed makes happen to them. */
export async function runHistory(seed: number, canary: Canary = {}): Promise<HistoryResult> {
  const scene = createScene(seed, canary)
  const { world, devices, ledgers, problems, met } = scene
  const begin = world.now()

  openPhones(scene)
  planActiveTime(scene)
  while (problems.length === 0 && (await world.step(begin + activeMs))) checkStep(scene)
  heal(scene)
  const end = world.now() + healMs
  const quietFrom = begin + activeMs + (scene.server.restores > 0 ? 14_000 : 4000)
  while (problems.length === 0 && (await world.step(end))) {
    checkStep(scene)
    if (world.now() > quietFrom && isQuiet(scene)) break
  }
  if (problems.length === 0) {
    for (const device of devices)
      for (const found of checkEnd(device, ledgers.get(device)!, scene.server, scene.screens.get(device), scene))
        scene.blame(found)
  }
  for (const device of devices) for (const context of device.contexts) context.replayer.stop()
  for (const ledger of ledgers.values()) ledger.count(scene.meet)
  return { problems, met }
}

/** Looks at everything after each event. */
function checkStep(scene: Scene): void {
  for (const device of scene.devices) for (const found of scene.ledgers.get(device)!.check()) scene.blame(found)
  for (const device of scene.organizers) {
    if (scene.queues.get(device) !== device.disk.entries) {
      scene.queues.set(device, device.disk.entries)
      device.follower?.queueChanged()
    }
    if (!device.replica.isLoaded) continue
    // What a copy shows of a history that is over says nothing: rows go back with the server.
    if (!isOfHistory(scene.server, device.replica.positions.org)) {
      scene.screens.get(device)!.forget()
      continue
    }
    const ledger = scene.ledgers.get(device)!
    for (const found of scene.screens.get(device)!.look(ledger.isWithdrawn)) scene.blame(found)
  }
}

function openPhones(scene: Scene): void {
  const { world } = scene
  for (const device of scene.devices) {
    scene.start(device, 'page')
    if (device !== scene.guest && world.chance(0.5)) scene.start(device, 'worker')
  }
  for (const device of scene.organizers) signIn(scene, device, olivia)
}

/** What people do, what happens to them, and when pages look for news. */
function planActiveTime(scene: Scene): void {
  const { world, organizers } = scene
  const plan = (count: number, run: () => void) => {
    for (let planned = 0; planned < count; planned++) world.after(200 + world.random() * activeMs, run)
  }
  plan(4 + world.below(7), () => {
    const device = world.pick(organizers)!
    const context = pageOf(device)
    if (world.chance(0.12)) return applyAsGuest(scene, world.chance(0.7) ? scene.guest : device)
    if (context && !context.isFrozen && device.disk.account === olivia) act(scene, device, context)
  })
  plan(world.below(8), () => misfortune(scene))
  if (scene.travels) planRoads(scene, activeMs)
}

/** From here on all is well: everything has to come to an end by itself. */
function heal(scene: Scene): void {
  const { world, server, network, organizers } = scene
  scene.hasHealed = true
  scene.isDown = false
  if (server.restores > 0) changeElsewhere(scene)
  network.weather = fairWeather
  server.eventLimit = Infinity
  server.newRefusal = undefined
  const isFirstHistory = server.restores === 0 && server.epoch === 1
  for (const device of scene.devices) {
    device.isOnline = true
    device.storageFails = false
    scene.freezing.delete(device)
    // A frozen worker goes on in its own time: the page has to rob it of the queue. What it hears of a history that is over
    // would be settled by the next pull only, for which nothing gives a reason any more.
    for (const context of device.contexts) if (context.name === 'page' || !isFirstHistory) thaw(context)
    if (!pageOf(device)) scene.start(device, 'page')
    if (!scene.wentBackUnsaid) hearEpoch(scene, device)
  }
  for (const device of organizers) {
    signIn(scene, device, olivia)
    world.after(3000, () => tidyUp(scene, device))
  }
}

/** Nothing waits any more and every copy is complete. */
function isQuiet({ devices, guest, server }: Scene): boolean {
  return devices.every(
    (device) =>
      device.disk.entries.every((entry) => entry.state === 'parked' || entry.state === 'blocked') &&
      !device.disk.entries.some((entry) => entry.discarding) &&
      (device === guest || (epochOf(device) === String(server.epoch) && appliedVersion(device) === server.version)),
  )
}
