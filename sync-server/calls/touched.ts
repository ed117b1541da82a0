import type { Knex } from 'knex'
import type { Change } from '../feed/change-feed.ts'

/**
 * What a call wrote; what is gone disappears from every audience. `opening` is how many Beacons an event has, which
 * organizers derive themselves. A thing whose last touch has `changes` is not loaded.
 */
export type Touched =
  | {
      readonly what: 'event' | 'opening' | 'application'
      readonly id: number
      readonly organizerId: number
      readonly changes?: readonly Change[] | undefined
    }
  | {
      readonly what: 'account'
      readonly id: number
    }

export const keyOfTouched = ({ what, id }: Touched): string => `${what} ${id}`

/** Returns the documents that change, in the order given. */
export type PresentTouched = (
  trx: Knex.Transaction,
  touched: readonly Touched[],
  now: Date,
) => Promise<readonly (readonly Change[])[]>
