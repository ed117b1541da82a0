import { askToCancel } from '../../drain/cancel.ts'
import { createOutbox } from '../enqueue.ts'
import { createFetchTransport } from '../../drain/transport.ts'
import type { DeviceIdentity, OutboxStorage } from './outbox-store.ts'
import { webLocks } from '../../drain/election.ts'
import { createReplayer } from '../../drain/replay.ts'
import type { ReplayNews, Timers } from '../../drain/wake.ts'

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

const systems: readonly (readonly [RegExp, string])[] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/CrOS/, 'Chromebook'],
  [/Windows/, 'Windows'],
  [/Macintosh/, 'Mac'],
  [/Linux/, 'Linux'],
]
const browsers: readonly (readonly [RegExp, string])[] = [
  [/Edg(A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/(Firefox|FxiOS)\//, 'Firefox'],
  [/(Chrome|CriOS)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]

export function guessDeviceName(userAgent: string): string {
  const system = systems.find(([pattern]) => pattern.test(userAgent))?.[1]
  if (system === 'iPhone' || system === 'iPad') return system
  const browser = browsers.find(([pattern]) => pattern.test(userAgent))?.[1]
  if (system && browser) return `${browser} on ${system}`
  return system ?? browser ?? 'A device'
}

export const browserTimers: Timers = {
  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds)
    return () => clearTimeout(timer)
  },
}

export function openBrowserOutbox(storage: OutboxStorage, onNews?: (news: ReplayNews) => void) {
  const { store } = storage
  let known: Promise<DeviceIdentity> | undefined
  const device = () => {
    known ??= storage.device(() => ({ id: newKey(), name: guessDeviceName(navigator.userAgent) }))
    known.catch(() => (known = undefined))
    return known
  }
  const transport = createFetchTransport(device)
  const channel = new BroadcastChannel(lockName)
  const replayer = createReplayer({
    store,
    transport,
    locks: webLocks(lockName),
    timers: browserTimers,
    now: Date.now,
    random: Math.random,
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
