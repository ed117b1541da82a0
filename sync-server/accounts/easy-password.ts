import { ProblemError } from '../calls/problems.ts'

/** How many of the commonest passwords are refused. */
const refusedCount = 3000
const shortest = 6

/** What this product's users would think of. */
const ours = [
  'beacon',
  'beacons',
  'beaconry',
  'conference',
  'meetup',
  'networking',
  'organizer',
  'organiser',
  'volunteer',
]

let commonPasswords: Promise<ReadonlySet<string>> | undefined

/** In lower case, from a published ranking of leaked ones. It is read when the first password is chosen, not at a start. */
function listCommonPasswords(): Promise<ReadonlySet<string>> {
  commonPasswords ??= import('@zxcvbn-ts/language-common').then(({ dictionary }) => {
    const ranked = dictionary['passwords-common'].filter((password) => password.length >= shortest)
    return new Set([...ranked.slice(0, refusedCount), ...ours])
  })
  return commonPasswords
}

/** Whose password it is to be, as far as a stranger who guesses would know. */
interface Owner {
  readonly username: string
  readonly email: string
}

/**
 * Whether a password is among the first that would be tried for an account (OWASP ASVS 5.0, 6.2.4 and 6.2.11): one of the
 * 3,000 commonest, one character repeated, or the owner's own name or address, also with digits or signs behind them.
 */
export async function isEasyPassword(password: string, { username, email }: Owner): Promise<boolean> {
  const text = password.trim().toLowerCase()
  const common = await listCommonPasswords()
  if ([text, plain(text), withoutTail(text)].some((form) => common.has(form)) || /^(.)\1*$/su.test(text)) return true
  const [localPart = ''] = email.split('@')
  const own = new Set([username, email, localPart].flatMap((name) => [plain(name), withoutTail(name)]))
  own.delete('')
  return own.has(plain(text)) || own.has(withoutTail(text))
}

/** Throws `invalid_input` for a password that is too easy to guess. Signing in with an old one is not refused. */
export async function refuseEasyPassword(password: string, owner: Owner): Promise<void> {
  if (!(await isEasyPassword(password, owner))) return
  const message = 'This password is too easy to guess.'
  throw new ProblemError('invalid_input', message, { fields: { password: message } })
}

/** Letters and digits alone, whatever stands between them. */
const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** The same without digits at its end: `olivia2026!` is `olivia`. */
const withoutTail = (text: string) => plain(text).replace(/\p{N}+$/u, '')
