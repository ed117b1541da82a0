import { readText, writeText } from './browser-storage.ts'
import { observable } from './observable.ts'

/** What the newest answer, or its absence, says about the way to the server; never `navigator.onLine`. */
export type Reachability = 'unknown' | 'reachable' | 'unreachable'

export const reachability = observable<Reachability>('unknown')

/** Our server has said that it does not speak to this version of the app any more (426). */
export const isTooOld = observable(false)

/** The epoch that our server's newest answer named; null before the first one. Another one means that its database went back. */
export const serverEpoch = observable<string | null>(null)

const heardName = 'beaconry/epoch'

/** The epoch by which this device has done what another one asks for; null before any was heard. Kept over starts. */
export const heardEpoch = {
  read: (): string | null => readText(heardName),
  write: (epoch: string): void => writeText(heardName, epoch),
}

/** Our server has named its epoch. The first one this device hears asks for nothing. */
export function hearEpoch(epoch: string): void {
  if (heardEpoch.read() === null) heardEpoch.write(epoch)
  serverEpoch.set(epoch)
}
