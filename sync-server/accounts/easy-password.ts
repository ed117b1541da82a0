import { refusedField } from '../calls/problems.ts'

const refusedCount = 3000
const shortest = 6

/** The ranking lacks these: runs of digits and keys, roles and sites, and words of this product. */
const ours = `
    0123456789 987654321 9876543210 654321 87654321 7654321 0987654321 121212 12121212 123123123 12341234
    123456123456 10203040 101010 171717 212121 232323 252525 321321 369258147 456456 456789 519420 a12345678
    aa123456 aa12345678 abc1234 abc123456 abcd123 abcd12345 abcdef abcdefg abcdefgh abcdef123 zaq1zaq1 asdqwe123
    qwe12345 qweqweqwe qwertz azertyuiop poiuytrewq mnbvcxz lkjhgfdsa 12345678a 123456abc aa1234 p@ssw0rd
    p@ssword pass12345 passwd passord motdepasse contraseña contrasena admin1 admin12 admin123 admin1234
    admin12345 admin123456 administrator adminadmin administrador root123 rootroot toor123 default default1
    guest1 guest123 test1234 test12345 user123 user1234 username usuario login123 opensesame love123 love1234
    lover1 realmadrid iphone apple123 facebook facebook1 linkedin twitter instagram whatsapp angel123 baby123
    hello12 hello1234 hellohello helloworld hello! jesus123 jesuschrist playstation fortnite gaming gamer1
    strawberry admin! admin@123 india123 india@123 company company123 event123 events events123 beacon beacons
    beaconry conference meetup networking organizer organiser volunteer
  `
  .trim()
  .split(/\s+/)

let commonPasswords: Promise<ReadonlySet<string>> | undefined

/** Lower case, from a published ranking of leaked passwords. */
function listCommonPasswords(): Promise<ReadonlySet<string>> {
  commonPasswords ??= import('@zxcvbn-ts/language-common').then(({ dictionary }) => {
    const ranked = dictionary['passwords-common'].filter((password) => password.length >= shortest)
    return new Set([...ranked.slice(0, refusedCount), ...ours])
  })
  return commonPasswords
}

interface Owner {
  readonly username: string
  readonly email: string
}

/**
 * A password is easy if it is one of the 3,000 commonest, one character repeated, or the owner's name or address, also
 * with digits or signs behind (OWASP ASVS 5.0, 6.2.4 and 6.2.11).
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

/** Throws `invalid_input`. Signing in with an old easy password is not refused. */
export async function refuseEasyPassword(password: string, owner: Owner): Promise<void> {
  if (await isEasyPassword(password, owner))
    throw refusedField('invalid_input', 'password', 'This password is too easy to guess.')
}

const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** `olivia2026!` is `olivia`. */
const withoutTail = (text: string) => plain(text).replace(/\p{N}+$/u, '')
