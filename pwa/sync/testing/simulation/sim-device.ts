import type { Collection } from '#shared/sync/collections.ts'
import type { FeedPosition } from '#shared/sync/replication-calls.ts'
import type { SyncMeta } from '../../replica/sync-meta.ts'
import { createOutbox, type Outbox } from '../../queue/enqueue.ts'
import type { Locks } from '../../drain/election.ts'
import { createReplayer, type Replayer } from '../../drain/replay.ts'
import type { WakeReason } from '../../drain/wake.ts'
import type { OutboxStore } from '../../queue/store/outbox-store.ts'
import type { Transport } from '../../drain/transport.ts'
import { askToCancel } from '../../drain/cancel.ts'
import { createLock, type Lock } from '../lock.ts'
import { createDisk, createMemoryStore, type MemoryDisk } from '../memory-store.ts'
import type { ModelDocument } from '../model-server.ts'
import type { SimFollower } from './sim-follow.ts'
import type { World } from './sim-world.ts'

/** What this device keeps of what the server said. */
export interface SimReplica {
  readonly events: Map<string, ModelDocument>
  readonly applications: Map<string, ModelDocument>
  /** Of each document the newest that was ever there, so that an older page brings back nothing that was deleted. */
  readonly versions: Map<string, number>
  readonly positions: { [C in Collection]: FeedPosition | undefined }
  readonly heads: { events: number; applications: number }
  /** Counts writes, so that a screen is looked at only when it may have changed. */
  changes: number
  epoch: string | undefined
  /** How often the copy was begun anew in its epoch. */
  readonly generation: number
  /** Complete since it was last dropped. */
  isLoaded: boolean
}

export function emptyReplica(changes = 0): SimReplica {
  return {
    events: new Map(),
    applications: new Map(),
    versions: new Map(),
    positions: { events: undefined, applications: undefined, account: undefined },
    heads: { events: 0, applications: 0 },
    changes,
    epoch: undefined,
    generation: 0,
    isLoaded: false,
  }
}

/** A page or a service worker. A dead one never goes on; a frozen one goes on later, where it stopped. */
export interface SimContext {
  readonly name: string
  isAlive: boolean
  isFrozen: boolean
  waiting: (() => void)[]
  /** Requests to the batch route that are on their way. */
  sending: number
  readonly store: OutboxStore
  readonly outbox: Outbox
  readonly replayer: Replayer
}

export interface SimDevice {
  readonly name: string
  readonly disk: MemoryDisk
  replica: SimReplica
  /** How far the device has followed the server, as it wrote down. */
  meta: SyncMeta | undefined
  /** The epoch its visitors' queue was last seen to. */
  heardEpoch: string
  /** The page that follows the server now. */
  follower: SimFollower | undefined
  /** Its app is of the version before: it says less in its requests, and writes another version of arguments. */
  isOldApp: boolean
  contexts: SimContext[]
  /** Who the server thinks is signed in there. */
  session: number | null
  isOnline: boolean
  /** Offline requests fail at once, or hang until they are given up. */
  hangsOffline: boolean
  storageFails: boolean
  clockOffset: number
  /** Its clock is set again and again, by up to this many milliseconds. */
  readonly clockJitter: number
  keys: number
  readonly lock: Lock<SimContext>
}

/** What a canary may put in the place of something right. */
export interface Variant {
  readonly store?: (store: OutboxStore) => OutboxStore
  readonly transport?: (transport: Transport) => Transport
  readonly outbox?: (outbox: Outbox, store: OutboxStore) => Outbox
  readonly locks?: (locks: Locks) => Locks
  readonly dropsTimersFrom?: number
}

export interface DeviceRules {
  readonly world: World
  readonly variant: Variant
  /** How likely a context dies at one use of its storage. */
  readonly crashAtStorage: number
  transportFor(device: SimDevice, context: () => SimContext): Transport
  onCrash(): void
  onRobbery(): void
}

export function createDevice(name: string, clockOffset: number, clockJitter: number): SimDevice {
  return {
    name,
    disk: createDisk(),
    replica: emptyReplica(),
    meta: undefined,
    heardEpoch: '1',
    follower: undefined,
    isOldApp: false,
    contexts: [],
    session: 1,
    isOnline: true,
    hangsOffline: false,
    storageFails: false,
    clockOffset,
    clockJitter,
    keys: 0,
    lock: createLock(deliver),
  }
}

/** Runs now, later when thawed, or never. */
export function deliver(context: SimContext, run: () => void): void {
  if (!context.isAlive) return
  if (context.isFrozen) context.waiting.push(run)
  else run()
}

export function kill(device: SimDevice, context: SimContext): void {
  context.isAlive = false
  context.waiting = []
  device.contexts = device.contexts.filter((other) => other !== context)
  device.lock.letGo(context)
}

export function thaw(context: SimContext): void {
  context.isFrozen = false
  for (const run of context.waiting.splice(0)) deliver(context, run)
}

/** Of an app before the first release: its arguments are upcast by every one since. */
export const oldArgsVersion = 0

/** Storage as one context sees it: it may die before or after each use, or find the disk full. */
function guardedStore(device: SimDevice, context: () => SimContext, rules: DeviceRules): OutboxStore {
  const { world } = rules
  const inner = createMemoryStore(device.disk)
  const guard = <T>(run: () => Promise<T>): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      const self = context()
      const attempt = () => {
        const dies = rules.crashAtStorage > 0 && world.chance(rules.crashAtStorage)
        const diesBefore = dies && world.chance(0.5)
        if (diesBefore) {
          rules.onCrash()
          return kill(device, self)
        }
        if (device.storageFails) return reject(Object.assign(new Error('full'), { name: 'QuotaExceededError' }))
        run().then((value) => {
          if (dies) {
            rules.onCrash()
            kill(device, self)
          } else deliver(self, () => resolve(value))
        }, reject)
      }
      deliver(self, attempt)
    })
  return {
    change: (lanes, decide) =>
      guard(() =>
        inner.change(lanes, (seen) => {
          const change = decide(seen)
          return device.isOldApp && change.add
            ? { ...change, add: change.add.map((entry) => ({ ...entry, argsVersion: oldArgsVersion })) }
            : change
        }),
      ),
    entriesOf: (userId) => guard(() => inner.entriesOf(userId)),
    lease: () => guard(() => inner.lease()),
    receipts: () => guard(() => inner.receipts()),
    settled: (userId) => guard(() => inner.settled(userId)),
  }
}

/** Starts a page or a worker on a device. */
export function startContext(device: SimDevice, name: string, rules: DeviceRules): SimContext {
  const { world, variant } = rules
  const context = (): SimContext => self
  const guarded = guardedStore(device, context, rules)
  const store = variant.store?.(guarded) ?? guarded
  const bare = rules.transportFor(device, context)
  const transport = variant.transport?.(bare) ?? bare
  const now = () => world.now() + device.clockOffset - (device.clockJitter > 0 ? world.below(device.clockJitter) : 0)
  const locks: Locks = {
    hold(body, options) {
      if (options.steal && device.lock.holder()) rules.onRobbery()
      return device.lock.hold(self, body, options)
    },
  }
  const replayer = createReplayer({
    store,
    transport,
    locks: variant.locks?.(locks) ?? locks,
    timers: {
      after: (milliseconds, callback) =>
        milliseconds >= (variant.dropsTimersFrom ?? Infinity)
          ? () => {}
          : world.after(milliseconds, () => deliver(context(), callback)),
    },
    now,
    random: world.random,
    owner: `${name}-${device.keys++}`,
    onNews: (news) => {
      if (news.type === 'reachable' && device.follower?.context === self) device.follower.hurry()
    },
    tellOthers: () => {
      for (const other of device.contexts)
        if (other !== self) world.after(1, () => deliver(other, () => void other.replayer.wake('elsewhere')))
    },
  })
  const outbox = createOutbox({
    store,
    now,
    newKey: () => `${device.name}-${device.keys++}`,
    wake: (reason: WakeReason) => replayer.wake(reason),
    cancel: (account, key) => {
      const patience = new AbortController()
      world.after(10_000, () => patience.abort())
      return askToCancel(transport, account, key, patience.signal)
    },
  })
  const self: SimContext = {
    name,
    isAlive: true,
    isFrozen: false,
    waiting: [],
    sending: 0,
    store,
    outbox: variant.outbox?.(outbox, store) ?? outbox,
    replayer,
  }
  device.contexts.push(self)
  return self
}
