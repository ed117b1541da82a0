import { specifiedBehaviour } from './specified-behaviour.ts'
import { specifiedScreens } from './specified-screens.ts'

/** What one section fixes to the letter, and what it says happens. */
export interface Section {
  /** As a person reads them; `{…}` is a value put in. */
  readonly texts?: readonly string[]
  readonly facts?: readonly string[]
}

/**
 * The specification of the product, item by item. `conformance-table.ts` says of every item where it is proven;
 * an item without a proof does not compile, and fails `conformance.test.ts`.
 */
export const specification = { ...specifiedScreens, ...specifiedBehaviour } as const
