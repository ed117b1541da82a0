import { createOutbox } from '../../queue/enqueue.ts'
import { createLeader } from '../../leader.ts'
import { createReplayer } from '../../drain/replay.ts'
import type { Timers, WakeReason } from '../../drain/wake.ts'
import type { OutboxStore } from '../../queue/store/outbox-store.ts'
import type { Transport } from '../../drain/transport.ts'
import { askToCancel } from '../../drain/cancel.ts'
import { asLocks, createLock } from '../lock.ts'
import { createDisk, createMemoryStore } from '../memory-store.ts'
import { deliver, type SimContext, type SimDevice, type SimReplica, type Variant, type World } from './sim-stage.ts'

export function emptyReplica(changes = 0): SimReplica {
  return {
    events: new Map(),
    applications: new Map(),
    versions: new Map(),
    positions: { org: undefined, account: undefined },
    head: 0,
    changes,
    epoch: undefined,
    copy: undefined,
    isLoaded: false,
  }
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

export function createDevice(name: string, clockOffset: number, clockJitter: number, hasLocks: boolean): SimDevice {
  return {
    name,
    disk: createDisk(),
    replica: emptyReplica(),
    meta: undefined,
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
    lock: hasLocks ? createLock<SimContext>(deliver) : undefined,
  }
}

export function kill(device: SimDevice, context: SimContext): void {
  context.isAlive = false
  context.waiting = []
  device.contexts = device.contexts.filter((other) => other !== context)
  device.lock?.letGo(context)
}

/** The version of arguments that the app of before the update writes. */
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
  const { lock } = device
  const locks =
    lock &&
    asLocks((body, { steal = false, signal }) => {
      if (steal && lock.holder()) rules.onRobbery()
      return lock.hold(self, body, { steal: steal && !variant.neverSteals, signal })
    })
  const timers: Timers = {
    after: (milliseconds, callback) =>
      milliseconds >= (variant.dropsTimersFrom ?? Infinity)
        ? () => {}
        : world.after(milliseconds, () => deliver(context(), callback)),
  }
  const leader = createLeader({
    locks,
    timers,
    tell: (message) => {
      for (const other of device.contexts)
        if (other !== self) world.after(1, () => deliver(other, () => other.leader.hear(message)))
    },
    isVisible: () => name === 'page',
  })
  const replayer = createReplayer({
    store,
    transport,
    leader,
    timers,
    now,
    random: world.random,
    isWorker: name === 'worker',
    onNews: (news) => {
      if (news.type === 'reachable' && device.follower?.context === self) device.follower.hurry()
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
    leader,
    store,
    outbox: variant.outbox?.(outbox, store) ?? outbox,
    replayer,
  }
  device.contexts.push(self)
  return self
}
