import { askToCancel } from '../drain/cancel.ts'
import { createOutbox, type Outbox } from '../enqueue.ts'
import { createFetchTransport } from '../drain/fetch-transport.ts'
import type { DeviceIdentity, OutboxStorage, OutboxStore } from './outbox-store.ts'
import { createReplayer, type Locks, type Replayer, type ReplayNews, type Timers } from '../drain/replay.ts'

const lockName = 'beaconry-outbox'
const cancelPatienceMs = 10_000

/** A uuid; `crypto.randomUUID` exists only where the address is https or localhost. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** The browser's locks: held across pages and the worker, let go when their holder dies. */
const webLocks: Locks = {
  async hold(body, { steal, signal }) {
    await navigator.locks.request(lockName, steal ? { steal } : { signal }, body)
  },
}

export const browserTimers: Timers = {
  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds)
    return () => clearTimeout(timer)
  },
}

/** The outbox of a page or of the service worker, wired to the browser. */
export interface BrowserOutbox {
  readonly store: OutboxStore
  readonly outbox: Outbox
  readonly replayer: Replayer
  readonly device: () => Promise<DeviceIdentity>
}

/**
 * @param storage where the queue is kept
 * @param deviceName what to call this device until its owner says otherwise
 */
export function openBrowserOutbox(
  storage: OutboxStorage,
  { deviceName, onNews }: { deviceName: string; onNews?: (news: ReplayNews) => void },
): BrowserOutbox {
  const { store } = storage
  let known: Promise<DeviceIdentity> | undefined
  const device = () => {
    known ??= storage.device(() => ({ id: newKey(), name: deviceName }))
    known.catch(() => (known = undefined))
    return known
  }
  const transport = createFetchTransport(device)
  const channel = new BroadcastChannel(lockName)
  const replayer = createReplayer({
    store,
    transport,
    locks: webLocks,
    timers: browserTimers,
    now: Date.now,
    random: Math.random,
    newKey,
    owner: newKey(),
    ...(onNews ? { onNews } : {}),
    tellOthers: () => channel.postMessage('woken'),
  })
  channel.addEventListener('message', () => void replayer.wake('elsewhere'))
  const outbox = createOutbox({
    store,
    now: Date.now,
    newKey,
    wake: replayer.wake,
    cancel: (account, key) => askToCancel(transport, account, key, AbortSignal.timeout(cancelPatienceMs)),
  })
  return { store, outbox, replayer, device }
}
