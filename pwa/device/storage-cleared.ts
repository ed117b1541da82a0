import { observable, useObservable } from '../sync/index.ts'

/** The database comes after the first paint. */
const database = () => import('./device-db.ts')
const setting = 'storage-cleared'
const cleared = observable(false)

/** Shows that this device's storage was thrown away, now and at later starts until someone has read it. */
export async function tellOfClearedStorage(isNews: boolean): Promise<void> {
  const { readSetting, writeSetting } = await database()
  if (isNews) await writeSetting(setting, true)
  cleared.set(isNews || (await readSetting<boolean>(setting)) === true)
}

/** Whether the person has yet to be told that the browser threw this device's storage away. */
export function useStorageCleared(): { readonly cleared: boolean; readonly dismiss: () => void } {
  return { cleared: useObservable(cleared), dismiss }
}

function dismiss(): void {
  cleared.set(false)
  database()
    .then(({ deleteSetting }) => deleteSetting(setting))
    .catch(() => undefined)
}
