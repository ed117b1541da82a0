import { askToCancel } from '../../drain/cancel.ts'
import { createOutbox } from '../enqueue.ts'
import { newKey } from '../new-key.ts'
import { createFetchTransport } from '../../drain/transport.ts'
import type { DeviceIdentity, OutboxStorage } from './outbox-store.ts'
import { createLeader, leaderName, type LeaderMessage } from '../../leader.ts'
import { createReplayer } from '../../drain/replay.ts'
import type { ReplayNews, Timers } from '../../drain/wake.ts'

const cancelPatienceMs = 10_000

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

export const newDevice = (): DeviceIdentity => ({ id: newKey(), name: guessDeviceName(navigator.userAgent) })

export const browserTimers: Timers = {
  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds)
    return () => clearTimeout(timer)
  },
}

interface BrowserOutboxTerms {
  /** Only a page has it. */
  readonly isVisible?: () => boolean
  readonly onNews?: (news: ReplayNews) => void
}

export function openBrowserOutbox(storage: OutboxStorage, { isVisible, onNews }: BrowserOutboxTerms = {}) {
  const { store } = storage
  let known: Promise<DeviceIdentity> | undefined
  const device = () => {
    known ??= storage.device(newDevice)
    known.catch(() => (known = undefined))
    return known
  }
  const transport = createFetchTransport(device)
  const channel = new BroadcastChannel(leaderName)
  const leader = createLeader({
    locks: (globalThis.navigator as typeof navigator | undefined)?.locks,
    timers: browserTimers,
    tell: (message) => channel.postMessage(message),
    isVisible: isVisible ?? (() => false),
  })
  channel.onmessage = ({ data }: MessageEvent<LeaderMessage>) => leader.hear(data)
  const replayer = createReplayer({
    store,
    transport,
    leader,
    timers: browserTimers,
    now: Date.now,
    random: Math.random,
    isWorker: isVisible === undefined,
    ...(onNews ? { onNews } : {}),
  })
  const outbox = createOutbox({
    store,
    now: Date.now,
    newKey,
    wake: replayer.wake,
    cancel: (account, key) => askToCancel(transport, account, key, AbortSignal.timeout(cancelPatienceMs)),
  })
  return { store, outbox, replayer, leader, device }
}
