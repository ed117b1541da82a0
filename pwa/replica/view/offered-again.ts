import { observable } from '../../api/observable.ts'

/** How many changes of this device are offered again because the server's database went back; 0 once somebody has read it. */
export const offeredAgain = observable(0)
