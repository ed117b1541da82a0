import { observable } from './observable.ts'

/** The epoch that our server's newest answer named; null before the first one. Another one means that its database went back. */
export const serverEpoch = observable<string | null>(null)
