import type { Knex } from 'knex'
import { stateOfBasis, type Basis } from '#shared/record/basis.ts'
import type { RouteCall } from './call.ts'
import { keyRows, scopedKey, type ClaimedKey } from './idempotency.ts'

interface Keyed {
  readonly key: ClaimedKey | null
  readonly call: Pick<RouteCall, 'basis'>
}

/** The calls of a transaction were made on these states. */
export interface Bases {
  of(keyed: Keyed): Basis
  leave(keyed: Keyed, state: string | null): void
}

/**
 * A key means the state that its change left, which is an older one where there was nothing to do; an unknown key
 * for the state that its change would leave.
 */
export async function loadBases(trx: Knex.Transaction, calls: readonly Keyed[]): Promise<Bases> {
  const left = new Map<string, string | null>()
  const asked = calls.flatMap(({ key, call: { basis } }) =>
    key && basis != null && basis !== stateOfBasis(basis) ? { scope: key.scope, key: basis } : [],
  )
  if (asked.length > 0) {
    const rows = await keyRows(trx, asked).where('status', '<', 300).select('scope', 'key', 'leftState')
    for (const row of rows) left.set(scopedKey(row), row.leftState)
  }
  return {
    of({ key, call: { basis } }) {
      if (!key || basis === undefined) return undefined
      const state = left.get(scopedKey({ scope: key.scope, key: basis ?? '' }))
      return state === undefined ? stateOfBasis(basis) : state
    },
    leave({ key }, state) {
      if (key) left.set(scopedKey(key), state)
    },
  }
}
