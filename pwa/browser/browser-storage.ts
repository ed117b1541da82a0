import { observable } from './observable.ts'

/** Tells how the last write ended; what was kept before is still there. */
export const isDeviceFull = observable(false)

type Area = 'localStorage' | 'sessionStorage'

/** Returns null where there is nothing, or no storage. */
export function readText(name: string, area: Area = 'localStorage'): string | null {
  try {
    return globalThis[area].getItem(name)
  } catch {
    return null
  }
}

/** Browsers that block a site's cookies block this storage with them. */
export function isStorageBlocked(): boolean {
  try {
    globalThis.localStorage.getItem('')
    return false
  } catch {
    return true
  }
}

/** Null removes. Without storage nothing is kept. */
export function writeText(name: string, text: string | null, area: Area = 'localStorage'): void {
  try {
    if (text === null) globalThis[area].removeItem(name)
    else globalThis[area].setItem(name, text)
  } catch {
    // Every caller works without it while the page is open.
  }
}

/** Makes no database; true where the browser does not say, so that the caller looks. */
export async function hasDatabase(fits: (name: string) => boolean): Promise<boolean> {
  try {
    return (await indexedDB.databases()).some(({ name }) => name !== undefined && fits(name))
  } catch {
    return true
  }
}
