import { ProblemError } from '../calls/problems.ts'
import { commonPasswords } from './common-passwords.ts'

/** Whose password it is to be, as far as somebody who guesses would know. */
interface Owner {
  readonly username: string
  readonly email: string
}

/**
 * Whether a password is among the first that would be tried for an account (OWASP ASVS 5.0, 6.2.4 and 6.2.11): a common
 * one, one character repeated, or the owner's own name or address, also with digits or signs behind it.
 */
export function isEasyPassword(password: string, { username, email }: Owner): boolean {
  const text = password.trim().toLowerCase()
  if (commonPasswords.has(text) || /^(.)\1*$/su.test(text)) return true
  const [localPart = ''] = email.split('@')
  const own = new Set([username, email, localPart].flatMap((name) => [plain(name), withoutTail(name)]))
  own.delete('')
  return own.has(plain(text)) || own.has(withoutTail(text))
}

/** Throws `invalid_input` for a password that is too easy to guess. Signing in with an old one is not refused. */
export function refuseEasyPassword(password: string, owner: Owner): void {
  if (!isEasyPassword(password, owner)) return
  const message = 'This password is too easy to guess.'
  throw new ProblemError('invalid_input', message, { fields: { password: message } })
}

/** Letters and digits alone, whatever stands between them. */
const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** The same without digits at its end: `olivia2026!` is `olivia`. */
const withoutTail = (text: string) => plain(text).replace(/\p{N}+$/u, '')
