import type { Knex } from 'knex'
import type { Change } from '../feed/change-feed.ts'

/**
 * What a command has written and other callers see. `opening` is whether an event takes applications, which the public sees
 * and the organizer's devices derive. What was touched may be gone: then it goes out of everybody's sight.
 */
export type Touched =
  | {
      readonly what: 'event' | 'opening' | 'application'
      readonly id: number
      /** Whose event it is, or whose event the application is for. */
      readonly organizerId: number
    }
  | {
      readonly what: 'account'
      /** Of the user. */
      readonly id: number
    }

/** Names what was touched: the same text for the same thing. */
export const placeOfTouched = ({ what, id }: Touched): string => `${what} ${id}`

/**
 * Loads what a transaction has touched as the transaction leaves it, one statement for each kind, and presents it for every
 * audience. In the order given: for each thing the documents that change. Whatever is named twice is loaded once.
 */
export type PresentTouched = (
  trx: Knex.Transaction,
  touched: readonly Touched[],
  now: Date,
) => Promise<readonly (readonly Change[])[]>
