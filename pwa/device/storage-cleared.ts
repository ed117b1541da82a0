import { observable, useObservable } from '../sync/index.ts'

const database = () => import('./device-db.ts')
const setting = 'storage-cleared'
const cleared = observable(false)

/** At every start, until the notice is dismissed. */
export async function tellOfClearedStorage(isNews: boolean): Promise<void> {
  const { readSetting, writeSetting } = await database()
  if (isNews) await writeSetting(setting, true)
  cleared.set(isNews || (await readSetting<boolean>(setting)) === true)
}

export function useStorageCleared(): { readonly cleared: boolean; readonly dismiss: () => void } {
  return { cleared: useObservable(cleared), dismiss }
}

function dismiss(): void {
  cleared.set(false)
  database()
    .then(({ deleteSetting }) => deleteSetting(setting))
    .catch(() => undefined)
}
