import { call } from '../api/call.ts'
import { deleteSetting, readSetting, writeSetting } from './device-db.ts'
import { renameDevice } from './device-identity.ts'

const untold = 'device/untold-name'

/**
 * Names this device, also without a network; the list of sessions shows it once the server was told.
 * @returns whether the server knows it now
 */
export async function nameThisDevice(name: string): Promise<boolean> {
  const wanted = name.trim()
  if (wanted === '') return true
  await renameDevice(wanted)
  await writeSetting(untold, wanted)
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
