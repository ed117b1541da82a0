import type { WakeReason } from '../../drain/wake.ts'
import { kill } from './sim-device.ts'
import { signIn } from './sim-people.ts'
import { olivia, otto, streamFates, wake, type Scene, type SimDevice } from './sim-stage.ts'

function reconnect(scene: Scene, device: SimDevice): void {
  device.isOnline = true
  scene.meet('reconnect')
  wake(device, scene.world.pick<WakeReason>(['online', 'visible', 'stream-opened', 'page-start', 'sync', 'push'])!)
}

/** Something happens to one of the phones or to the server; most of it passes by itself. */
export function misfortune(scene: Scene): void {
  const { world, server, meet } = scene
  if (scene.hasHealed) return
  const later = (milliseconds: number, run: () => unknown) =>
    world.after(milliseconds, () => {
      if (!scene.hasHealed) run()
    })
  const device = world.pick(scene.devices)!
  const context = world.pick(device.contexts)
  switch (world.below(12)) {
    case 0:
    case 1:
      device.isOnline = false
      device.hangsOffline = world.chance(0.4)
      later(world.random() * 20_000, () => reconnect(scene, device))
      break
    case 2:
    case 3:
      if (!context) break
      meet('crash')
      kill(device, context)
      later(
        world.random() * 6000,
        () => device.contexts.some(({ name }) => name === context.name) || scene.start(device, context.name),
      )
      break
    case 4:
      if (!context) break
      scene.freezing.add(device)
      break
    case 5:
      meet('clock jump')
      device.clockOffset += world.below(172_800_000) - 86_400_000
      break
    case 6:
      device.storageFails = true
      world.after(world.random() * 4000, () => (device.storageFails = false))
      break
    case 7:
      if (device === scene.guest || device.session === null) break
      device.session = null
      meet('session ended')
      later(world.random() * (world.chance(0.5) ? 2000 : 15_000), () =>
        signIn(scene, device, world.chance(0.3) ? otto : olivia),
      )
      later(world.random() * 1000, () => wake(device, 'visible'))
      break
    case 8:
      scene.streamFate = world.pick(streamFates)
      break
    case 9:
      server.eventLimit = world.chance(0.5) ? 0 : Infinity
      break
    default:
      if (context)
        wake(
          device,
          world.pick<WakeReason>(['online', 'visible', 'stream-opened', 'timer', 'sync', 'push', 'activate'])!,
        )
  }
}
