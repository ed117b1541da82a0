import { ifAnswered } from '../../browser/page-storage.ts'
import { newDevice } from '../queue/store/browser-outbox.ts'
import { renameDevice as renameRow } from '../queue/store/device-rows.ts'
import { keptDevice, outboxDatabase } from '../queue/store/opened-outbox.ts'
import type { DeviceIdentity } from '../queue/store/outbox-store.ts'

let renamed: DeviceIdentity | undefined
/** It is used while the storage does not answer. */
let provisional: DeviceIdentity | undefined

/** Identifies a device by a uuid made on the first visit, and a name like 'iPhone' or 'Chrome on Linux'. */
export async function thisDevice(): Promise<DeviceIdentity> {
  return renamed ?? (await ifAnswered(keptDevice())) ?? (provisional ??= newDevice())
}

export async function renameDevice(name: string): Promise<DeviceIdentity> {
  await renameRow(outboxDatabase, name)
  renamed = { ...(await thisDevice()), name }
  return renamed
}
