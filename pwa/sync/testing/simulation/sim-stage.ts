import type { Entry } from '../../queue/entry.ts'
import type { WakeReason } from '../../drain/wake.ts'
import type { ModelServer } from '../model-server.ts'
import type { Canary } from './sim-canary.ts'
import { deliver, type SimContext, type SimDevice } from './sim-device.ts'
import type { Ledger } from './sim-ledger.ts'
import type { NetworkRules } from './sim-network.ts'
import type { Screen } from './sim-screen.ts'
import type { ServedStream, StreamFate } from './sim-stream.ts'
import type { World } from './sim-world.ts'

export const olivia = 1
export const otto = 2

/** Where one history takes place: its phones, its server, the road between them, and who watches. */
export interface Scene {
  readonly world: World
  readonly server: ModelServer
  readonly canary: Canary
  readonly network: NetworkRules
  readonly devices: readonly SimDevice[]
  /** A volunteer's phone, where nobody signs in. */
  readonly guest: SimDevice
  /** Olivia's two. */
  readonly organizers: readonly SimDevice[]
  readonly ledgers: ReadonlyMap<SimDevice, Ledger>
  readonly screens: ReadonlyMap<SimDevice, Screen>
  /** Devices of which the next context that sends freezes. */
  readonly freezing: Set<SimDevice>
  /** Broken promises, in the order they broke. */
  readonly problems: readonly string[]
  readonly met: Readonly<Record<string, number>>
  /** The recovery roads are travelled: a database that goes back, tombstones that are gone, updates, damages, other refusals. */
  readonly travels: boolean
  /** The server's ends of all that are open. */
  readonly streams: Set<ServedStream>
  /** The queue as each page's follower saw it last. */
  readonly queues: Map<SimDevice, readonly Entry[]>
  streamFate: StreamFate
  /** The server is being restored: nothing answers. */
  isDown: boolean
  /** The database went back, and only the ids of its history tell. */
  wentBackUnsaid: boolean
  /** From then on nothing bad happens any more. */
  hasHealed: boolean
  readonly meet: (what: string, times?: number) => void
  readonly blame: (what: string) => void
  /** A number that nothing in this history was named with. */
  nextNumber(): number
  /** Starts a page or a worker on a device. */
  start(device: SimDevice, name: string): SimContext
}

export const pageOf = (device: SimDevice): SimContext | undefined =>
  device.contexts.find((context) => context.name === 'page')

/** Wakes the worker or the page of a device, whichever hears of such a reason. */
export function wake(device: SimDevice, reason: WakeReason): void {
  const context =
    reason === 'sync' || reason === 'push' || reason === 'activate'
      ? device.contexts.find(({ name }) => name === 'worker')
      : pageOf(device)
  if (context) deliver(context, () => void context.replayer.wake(reason))
  if (reason === 'online' || reason === 'visible') device.follower?.wake()
}
