import type { Entry } from '../../queue/entry.ts'
import type { WakeReason } from '../../drain/wake.ts'
import type { ModelServer } from '../model-server.ts'
import type { Canary } from './sim-canary.ts'
import { deliver, type SimContext, type SimDevice } from './sim-device.ts'
import type { Ledger } from './sim-ledger.ts'
import type { NetworkRules } from './sim-network.ts'
import type { Screen } from './sim-screen.ts'
import type { ServedStream, StreamFate } from './sim-stream.ts'
import type { Chance, World } from './sim-world.ts'

/** Every tenth history follows the server as production does and travels the recovery roads, from this one on. */
export const recoveryStride = 10
export const firstRecovery = 2

export const olivia = 1
export const otto = 2

/** Where one history takes place: its phones, its server, the road between them, and who watches. */
export interface Scene {
  readonly world: World
  /** What happens to the storage, by draws of its own: whatever else happens in a history stays as it is. */
  readonly storage: Chance
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
  /** Olivia also keeps notes, stars and who is here. Not in every history: those that are pinned by their seed never had them. */
  readonly hasMarks: boolean
  /** Olivia decides three times in a row and takes the first back. Not in the pinned histories either. */
  readonly hasSecondThoughts: boolean
  /**
   * Pages follow the server as in production, and the recovery roads are travelled: a database that goes back, tombstones that
   * are gone, updates, damages, streams that are held back. Not in the pinned histories either.
   */
  readonly follows: boolean
  /** The server's ends of all that are open. */
  readonly streams: Set<ServedStream>
  /** The queue as each page's follower saw it last. */
  readonly queues: Map<SimDevice, readonly Entry[]>
  streamFate: StreamFate
  /** A firewall refuses every pull. */
  pullsFail: boolean
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
