import { observable } from './observable.ts'

/** Our server has said that it does not speak to this version of the app any more (426). */
export const isTooOld = observable(false)
