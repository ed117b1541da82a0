import { spacingMs } from '../../follow/throttle.ts'
import type { Scene } from './sim-stage.ts'
import { streamFates } from './sim-stream.ts'

/** What caused requests of its own is over after so long: a stream that carries no word is given up after 40 s. */
const restMs = 55_000
const watchedMs = 60_000
/** A live stream that breaks off meanwhile is opened again at once, and doubted when that fails: once. */
const reopenings = 1
/** Two timers may fall on one millisecond. */
const toleranceMs = 1

/** Ways in which what is on the way can be broken for good, or not at all. */
export const sicknesses = ['nothing', 'stream', 'pulls', 'network', 'portal', 'signed out'] as const

/** From here on nobody touches anything, and something may be broken for good. @returns when that is looked at, from now */
export function beginIdling(scene: Scene): number {
  const { world, network } = scene
  const sickness = world.pick(sicknesses)
  scene.meet(`idle: ${sickness}`)
  // Streams that are cut again and again have a reason each time.
  if (sickness === 'stream' || scene.streamFate === 'cut') {
    scene.streamFate = world.pick(streamFates.filter((fate) => fate !== 'cut'))!
    for (const stream of scene.streams) stream.end()
  }
  if (sickness === 'pulls') scene.pullsFail = true
  if (sickness === 'portal') network.weather = { ...network.weather, portal: 1, dropBefore: 0.5 }
  for (const device of scene.organizers) {
    if (sickness === 'network') device.isOnline = false
    if (sickness === 'network') device.hangsOffline = world.chance(0.5)
    if (sickness === 'signed out') device.session = null
    // A hint from the device itself: everything may be dead without knowing.
    if (world.chance(0.5)) device.follower?.wake()
  }
  return restMs + watchedMs
}

/**
 * However broken something is, an idle device asks at most once in five seconds, but for a live stream that breaks off.
 * @returns what broke that
 */
export function checkIdling(scene: Scene, begunAt: number): string[] {
  return scene.organizers.flatMap(({ name, asks }) => {
    const seen = asks.filter((at) => at >= begunAt + restMs)
    const close = seen.filter((at, index) => index > 0 && at - seen[index - 1]! < spacingMs - toleranceMs)
    const seconds = seen.map((at) => ((at - begunAt) / 1000).toFixed(1)).join(', ')
    return close.length <= reopenings ? [] : [`R18 ${name}: idle, it asked too soon: at ${seconds} s`]
  })
}
