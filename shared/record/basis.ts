import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Refused } from '../contract/problem.ts'

/**
 * The name of the state that a change leaves behind, as documents carry it: a hash of the change's key, because the key itself
 * opens stored answers. Hexadecimal, 24 digits.
 */
export function stateOf(key: string): string {
  return bytesToHex(sha256(utf8ToBytes(key.toLowerCase())).subarray(0, 12))
}

/** The state that a basis stands for, where nothing more is known of it: its own, or the one that the change with that key leaves. */
export function stateOfBasis(basis: string | null): string | null {
  return basis === null || /^[0-9a-f]{24}$/.test(basis) ? basis : stateOf(basis)
}

/**
 * The state that a change was made on. `isUnknown`: this database has never heard of that state, and its sender says that it was
 * restored to an earlier moment.
 */
export interface Basis {
  /** Null: nothing had changed yet. */
  readonly state: string | null
  readonly isUnknown?: boolean
}

/**
 * Whether a change fits the present state. Without a basis it always does. One whose basis is unknown has to wait for another
 * device to bring that state back, even where everything looks as it wishes: what is to come may undo it.
 */
export function judgeBasis(present: string | null, basis: Basis | undefined): 'fits' | 'stale' | Refused {
  if (basis === undefined || basis.state === present) return 'fits'
  if (!basis.isUnknown) return 'stale'
  return { refused: 'unknown_basis', message: 'The server does not know the change before this one.' }
}
