import { observable } from './observable.ts'

/** This device had no room for what was to be kept when it was tried last; what was kept before is there. */
export const isDeviceFull = observable(false)
