import { observable } from './observable.ts'

/** As of the last write; what was kept before is there. */
export const isDeviceFull = observable(false)

type Area = 'localStorage' | 'sessionStorage'

/** Null where there is nothing, or no storage. */
export function readText(name: string, area: Area = 'localStorage'): string | null {
  try {
    return globalThis[area].getItem(name)
  } catch {
    return null
  }
}

/** Removes with null. Where the browser gives no storage, nothing is kept. */
export function writeText(name: string, text: string | null, area: Area = 'localStorage'): void {
  try {
    if (text === null) globalThis[area].removeItem(name)
    else globalThis[area].setItem(name, text)
  } catch {
    // Every caller works without it for as long as the page is open.
  }
}

/** Costs no Dexie and makes no database; true where the browser does not say, so that the caller looks. */
export async function hasDatabase(fits: (name: string) => boolean): Promise<boolean> {
  try {
    return (await indexedDB.databases()).some(({ name }) => name !== undefined && fits(name))
  } catch {
    return true
  }
}
