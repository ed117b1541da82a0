import { chooseWork } from '../../drain/claim.ts'
import type { SimContext, SimDevice } from './sim-device.ts'
import type { Scene } from './sim-stage.ts'

const patienceMs = 5000

const hasFrozen = (device: SimDevice) => device.contexts.some(({ isFrozen }) => isFrozen)

/** Something on the device would go out now, if somebody asked. */
function hasSomethingToSend(scene: Scene, device: SimDevice): boolean {
  const terms = {
    now: scene.world.now() + device.clockOffset,
    account: device.disk.account,
    triggered: true,
    resumes: false,
    limit: 100,
    maximumCharacters: 30_000,
  }
  return chooseWork(device.disk.entries, terms).work?.kind === 'send'
}

/** P5: with a trigger, a network and something to send, a request leaves within 5 s. */
export function expectSend(scene: Scene, device: SimDevice, context: SimContext | undefined): void {
  if (!context || context.isFrozen || device.storageFails || hasFrozen(device)) return
  if (hasSomethingToSend(scene, device)) scene.deadlines.set(device, { at: scene.world.now() + patienceMs, context })
}

/** Blames the devices from which nothing left in time; what lost its network, storage or context since is let off. */
export function checkDeadlines(scene: Scene): void {
  const { world, deadlines } = scene
  for (const [device, { at, context }] of deadlines) {
    const isOff = !context.isAlive || context.isFrozen || !device.isOnline || device.storageFails || hasFrozen(device)
    if (isOff) deadlines.delete(device)
    else if (world.now() > at) {
      const isSending = device.contexts.some(({ sending }) => sending > 0)
      if (!isSending && hasSomethingToSend(scene, device))
        scene.blame(`P5 ${device.name}: nothing left within 5 s of the network's return`)
      deadlines.delete(device)
    }
  }
}
