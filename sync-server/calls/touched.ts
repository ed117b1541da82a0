import type { Knex } from 'knex'
import type { Change } from '../feed/change-feed.ts'

/**
 * `opening` is whether an event takes applications and how many Beacons it has, which the public sees and the organizer's
 * devices derive. A missing thing disappears from every audience.
 */
export type Touched =
  | {
      readonly what: 'event' | 'opening' | 'application'
      readonly id: number
      readonly organizerId: number
    }
  | {
      readonly what: 'account'
      readonly id: number
    }

export const keyOfTouched = ({ what, id }: Touched): string => `${what} ${id}`

/** One statement per kind and each thing once. Answers, in the order given, the documents that change. */
export type PresentTouched = (
  trx: Knex.Transaction,
  touched: readonly Touched[],
  now: Date,
) => Promise<readonly (readonly Change[])[]>
