import { useObservable, observable } from '../api/observable.ts'
import { readSetting, writeSetting } from './device-db.ts'

/** How this device is named to the server and to the people who decide on several of them. */
export interface DeviceIdentity {
  /** A uuid made on the first visit. */
  readonly id: string
  /** At most 60 characters: 'iPhone', 'Chrome on Linux', or what its owner wrote. */
  readonly name: string
}

const known = observable<DeviceIdentity | null>(null)
let reading: Promise<DeviceIdentity> | undefined

/** This device, remembered from the first visit on. Without storage it lives as long as the page. */
export function deviceIdentity(): Promise<DeviceIdentity> {
  reading ??= readIdentity()
  return reading
}

async function readIdentity(): Promise<DeviceIdentity> {
  const fresh: DeviceIdentity = { id: crypto.randomUUID(), name: guessDeviceName(navigator.userAgent) }
  try {
    const kept = await readSetting<DeviceIdentity>('device')
    if (!kept) await writeSetting('device', fresh)
    known.set(kept ?? fresh)
    return kept ?? fresh
  } catch {
    known.set(fresh)
    return fresh
  }
}

/** Gives this device the name its owner wants. */
export async function renameDevice(name: string): Promise<void> {
  const { id } = await deviceIdentity()
  const renamed = { id, name: name.trim().slice(0, 60) || guessDeviceName(navigator.userAgent) }
  await writeSetting('device', renamed)
  reading = Promise.resolve(renamed)
  known.set(renamed)
}

/** This device; null until it was read. */
export function useDeviceIdentity(): DeviceIdentity | null {
  void deviceIdentity()
  return useObservable(known)
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

/** A first name for a device from its user agent: phones by themselves, the rest as browser on system. */
export function guessDeviceName(userAgent: string): string {
  const system = systems.find(([pattern]) => pattern.test(userAgent))?.[1]
  if (system === 'iPhone' || system === 'iPad') return system
  const browser = browsers.find(([pattern]) => pattern.test(userAgent))?.[1]
  if (system && browser) return `${browser} on ${system}`
  return system ?? browser ?? 'A device'
}
