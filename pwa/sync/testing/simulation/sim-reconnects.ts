import { deleteEvent } from '../../queue/mutations/delete-event.ts'
import type { WakeReason } from '../../drain/wake.ts'
import { createDevice, startContext, type DeviceRules } from './sim-device.ts'
import { fairWeather, roadFor } from './sim-network.ts'
import { ModelServer } from '../model-server.ts'
import { createWorld } from './sim-world.ts'

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
  const world = createWorld(1)
  const server = new ModelServer()
  const device = createDevice('phone', 0, 0)
  let askedAt = Infinity
  const rules: DeviceRules = {
    world,
    variant: {},
    crashAtStorage: 0,
    transportFor: (phone, context) =>
      roadFor(phone, context, {
        world,
        server,
        weather: fairWeather,
        met: () => {},
        onRequest() {
          if (device.isOnline) askedAt = Math.min(askedAt, world.now())
        },
      }),
    onCrash: () => {},
    onRobbery: () => {},
  }
  const page = startContext(device, 'page', rules)
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
    void page.outbox.enqueue(deleteEvent, { id: cycle, name: 'Founders Mixer', basis: null }, { userId: 1 })
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
