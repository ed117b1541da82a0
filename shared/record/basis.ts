import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Refused } from '../contract/problem.ts'

/**
 * Names the state that a change leaves: 24 hexadecimal digits of its key's hash, because the key opens stored answers.
 */
export function stateOf(key: string): string {
  return bytesToHex(sha256(utf8ToBytes(key.toLowerCase())).subarray(0, 12))
}

/** A state, or the state that a key's change leaves. */
export function stateOfBasis(basis: string | null): string | null {
  return basis === null || /^[0-9a-f]{24}$/.test(basis) ? basis : stateOf(basis)
}

/** The state a change was made on. `isUnknown`: this database, said to be restored, does not know it. */
export interface Basis {
  /** Null: nothing had changed yet. */
  readonly state: string | null
  readonly isUnknown?: boolean
}

/**
 * Without a basis every change fits. With an unknown one it waits until another device brings that state back, even
 * where all looks as it wishes: what is to come may undo it.
 */
export function judgeBasis(present: string | null, basis: Basis | undefined): 'fits' | 'stale' | Refused {
  if (basis === undefined || basis.state === present) return 'fits'
  if (!basis.isUnknown) return 'stale'
  return { refused: 'unknown_basis', message: 'The server does not know the change before this one.' }
}
