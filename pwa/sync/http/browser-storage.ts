import { observable } from './observable.ts'

/** This device had no room for what was to be kept when it was tried last; what was kept before is there. */
export const isDeviceFull = observable(false)

type Area = 'localStorage' | 'sessionStorage'

/** What the browser keeps under a name; null where there is nothing, or no storage. */
export function readText(name: string, area: Area = 'localStorage'): string | null {
  try {
    return globalThis[area].getItem(name)
  } catch {
    return null
  }
}

/** Keeps a text, or removes it (null). Where the browser gives no storage, nothing is kept. */
export function writeText(name: string, text: string | null, area: Area = 'localStorage'): void {
  try {
    if (text === null) globalThis[area].removeItem(name)
    else globalThis[area].setItem(name, text)
  } catch {
    // Every caller works without it for as long as the page is open.
  }
}

/**
 * Whether this device has a database that fits. Asking costs no Dexie and makes none; true where the browser does not say,
 * for then it must be looked into.
 */
export async function hasDatabase(fits: (name: string) => boolean): Promise<boolean> {
  try {
    return (await indexedDB.databases()).some(({ name }) => name !== undefined && fits(name))
  } catch {
    return true
  }
}
