import { observable } from './observable.ts'

/** What the newest answer, or its absence, says about the way to the server; never `navigator.onLine`. */
export type Reachability = 'unknown' | 'reachable' | 'unreachable'

export const reachability = observable<Reachability>('unknown')

/** Our server has said that it does not speak to this version of the app any more (426). */
export const isTooOld = observable(false)

/** The epoch that our server's newest answer named; null before the first one. Another one means that its database went back. */
export const serverEpoch = observable<string | null>(null)
