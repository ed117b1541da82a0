import { storageSilence } from './page-storage.ts'
import { observable } from './observable.ts'

/**
 * Why this device's storage cannot be relied on now, null when it can. `silent`: it does not answer; `fails`: it refuses
 * what is asked, as in some private windows.
 */
export const storageTrouble = observable<'silent' | 'fails' | null>(null)

const failing = new Set<string>()

/** @param what tells one part of the storage from others */
export function noteStorageFails(what: string, fails: boolean): void {
  if (fails) failing.add(what)
  else failing.delete(what)
  look()
}

function look(): void {
  storageTrouble.set(storageSilence.get() ? 'silent' : failing.size > 0 ? 'fails' : null)
}

storageSilence.subscribe(look)
