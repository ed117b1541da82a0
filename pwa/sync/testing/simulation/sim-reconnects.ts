import { deleteEvent } from '../../queue/mutations/delete-event.ts'
import type { WakeReason } from '../../drain/wake.ts'
import { fairWeather } from './sim-network.ts'
import { createScene } from './sim-scene.ts'
import { olivia } from './sim-stage.ts'

const reasons: readonly WakeReason[] = [
  'online',
  'visible',
  'stream-opened',
  'sync',
  'push',
  'page-start',
  'activate',
  'enqueue',
]

/**
 * One phone loses and finds its network again and again, each time with one change to send and one trigger. A stall is a
 * change that did not leave within 5 s of its trigger.
 */
export async function runReconnects(cycles: number): Promise<{ stalls: number; slowestMs: number; sent: number }> {
  const scene = createScene(1, {})
  const { world, network } = scene
  const device = scene.organizers[0]!
  // Nothing bad happens but that.
  scene.hasHealed = true
  network.weather = fairWeather
  let askedAt = Infinity
  network.onRequest = () => {
    if (device.isOnline) askedAt = Math.min(askedAt, world.now())
  }
  const page = scene.start(device, 'page')
  let stalls = 0
  let slowestMs = 0
  let sent = 0
  const pass = async (milliseconds: number, isEnough: () => boolean) => {
    const end = world.now() + milliseconds
    while (!isEnough() && (await world.step(end)));
  }
  for (let cycle = 1; cycle <= cycles; cycle++) {
    device.isOnline = false
    device.hangsOffline = world.chance(0.5)
    void page.outbox.enqueue(deleteEvent, { id: cycle, name: 'Founders Mixer', basis: null }, { userId: olivia })
    await pass(world.random() * 40_000, () => false)
    device.isOnline = true
    askedAt = Infinity
    const backAt = world.now()
    const reason = world.pick(reasons) ?? 'online'
    // The enqueueing of something else says nothing about the network: it does not hurry a request that may be alive.
    world.after(0, () => void page.replayer.wake(reason === 'enqueue' && device.hangsOffline ? 'online' : reason))
    await pass(5000, () => askedAt < Infinity)
    if (askedAt === Infinity) stalls++
    else slowestMs = Math.max(slowestMs, askedAt - backAt)
    await pass(60_000, () => device.disk.entries.every(({ state }) => state === 'acknowledged'))
    sent += device.disk.entries.filter(({ state }) => state === 'acknowledged').length
    device.disk.entries = []
  }
  page.replayer.stop()
  return { stalls, slowestMs, sent }
}
