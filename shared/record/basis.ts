import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/**
 * Names the state that a change leaves: 24 hexadecimal digits of its key's hash, because the key opens stored answers.
 */
export function stateOf(key: string): string {
  return bytesToHex(sha256(utf8ToBytes(key.toLowerCase())).subarray(0, 12))
}

/** Returns a state, or the state that a key's change leaves. */
export function stateOfBasis(basis: string | null): string | null {
  return basis === null || /^[0-9a-f]{24}$/.test(basis) ? basis : stateOf(basis)
}

/** A basis is the state that a change was made on; undefined means that the change names none. */
export type Basis = string | null | undefined

/**
 * Judges whether a change fits the present state. A change without a basis always does; null is the state in which
 * nothing had changed yet.
 */
export function fitsBasis(present: string | null, basis: Basis): boolean {
  return basis === undefined || basis === present
}
