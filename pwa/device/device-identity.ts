import { useEffect } from 'react'
import { observable, useObservable } from '../api/observable.ts'
import { outboxDatabase, thisDevice } from '../outbox/store/opened-outbox.ts'
import { renameDevice as keepDeviceName } from '../outbox/store/device-rows.ts'
import type { DeviceIdentity } from '../outbox/store/outbox-store.ts'

export type { DeviceIdentity } from '../outbox/store/outbox-store.ts'

const known = observable<DeviceIdentity | null>(null)
const longestName = 60
let renamed: DeviceIdentity | undefined

/** This device: a uuid made on the first visit, and a name like 'iPhone' or 'Chrome on Linux'. */
export async function deviceIdentity(): Promise<DeviceIdentity> {
  const device = renamed ?? (await thisDevice())
  known.set(device)
  return device
}

/** Gives this device the name its owner wants to see in the history; an empty one changes nothing. */
export async function renameDevice(name: string): Promise<void> {
  const wanted = name.trim().slice(0, longestName)
  if (wanted === '') return
  await keepDeviceName(outboxDatabase, wanted)
  renamed = { ...(await deviceIdentity()), name: wanted }
  known.set(renamed)
}

/** This device; null until it was read. */
export function useDeviceIdentity(): DeviceIdentity | null {
  useEffect(() => void deviceIdentity().catch(() => undefined), [])
  return useObservable(known)
}
