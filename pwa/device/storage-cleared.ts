import { readText, writeText } from '../browser/browser-storage.ts'
import { observable, useObservable } from '../browser/observable.ts'

const name = 'beaconry/storage-cleared'
const cleared = observable(readText(name) !== null)

/** The notice is shown at every start until it is dismissed. */
export function noteStorageCleared(isCleared: boolean): void {
  cleared.set(isCleared)
  writeText(name, isCleared ? '1' : null)
}

export const useStorageCleared = () => useObservable(cleared)
