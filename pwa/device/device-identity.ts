import { useEffect } from 'react'
import { call, thisDevice, renameDevice } from '../sync/index.ts'
import { observable, useObservable } from '../browser/observable.ts'
import { deleteSetting, readSetting, writeSetting } from './device-db.ts'

type DeviceIdentity = Awaited<ReturnType<typeof thisDevice>>

const longestName = 60
const known = observable<DeviceIdentity | null>(null)

/** Identifies a device by a uuid made on the first visit, and a name like 'iPhone' or 'Chrome on Linux'. */
export async function deviceIdentity(): Promise<DeviceIdentity> {
  const device = await thisDevice()
  known.set(device)
  return device
}

export function useDeviceIdentity(): DeviceIdentity | null {
  useEffect(() => void deviceIdentity().catch(() => undefined), [])
  return useObservable(known)
}

const untold = 'device/untold-name'

/** @returns whether the server has it now; offline it gets the name later */
export async function nameThisDevice(name: string): Promise<boolean> {
  const shown = name.trim().slice(0, longestName)
  if (shown === '') return true
  known.set(await renameDevice(shown))
  await writeSetting(untold, shown)
  return await tellDeviceName().then(
    () => true,
    () => false,
  )
}

/** Sends a name that the server has not got yet. @throws what the call throws */
export async function tellDeviceName(): Promise<void> {
  const name = await readSetting<string>(untold)
  if (name === undefined) return
  await call('renameDevice', { body: { name } })
  if ((await readSetting<string>(untold)) === name) await deleteSetting(untold)
}
