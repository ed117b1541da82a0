import { useEffect } from 'react'
import {
  call,
  observable,
  useObservable,
  outboxDatabase,
  thisDevice,
  renameDevice,
  type DeviceIdentity,
} from '../sync/index.ts'
import { deleteSetting, readSetting, writeSetting } from './device-db.ts'

const known = observable<DeviceIdentity | null>(null)
const longestName = 60
let renamed: DeviceIdentity | undefined

/** This device: a uuid made on the first visit, and a name like 'iPhone' or 'Chrome on Linux'. */
export async function deviceIdentity(): Promise<DeviceIdentity> {
  const device = renamed ?? (await thisDevice())
  known.set(device)
  return device
}

/** This device; null until it was read. */
export function useDeviceIdentity(): DeviceIdentity | null {
  useEffect(() => void deviceIdentity().catch(() => undefined), [])
  return useObservable(known)
}

const untold = 'device/untold-name'

/**
 * Names this device, also without a network; the list of sessions shows it once the server was told.
 * @returns whether the server knows it now
 */
export async function nameThisDevice(name: string): Promise<boolean> {
  const shown = name.trim().slice(0, longestName)
  if (shown === '') return true
  await renameDevice(outboxDatabase, shown)
  renamed = { ...(await deviceIdentity()), name: shown }
  known.set(renamed)
  await writeSetting(untold, shown)
  return await tellDeviceName().then(
    () => true,
    () => false,
  )
}

/** Tells the server a name that it was not told yet. @throws what the call throws */
export async function tellDeviceName(): Promise<void> {
  const name = await readSetting<string>(untold)
  if (name === undefined) return
  await call('renameDevice', { body: { name } })
  // It may have got another name meanwhile.
  if ((await readSetting<string>(untold)) === name) await deleteSetting(untold)
}
