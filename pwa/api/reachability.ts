import { observable } from './observable.ts'

/** What the newest answer, or its absence, says about the way to the server; never `navigator.onLine`. */
export type Reachability = 'unknown' | 'reachable' | 'unreachable'

export const reachability = observable<Reachability>('unknown')
