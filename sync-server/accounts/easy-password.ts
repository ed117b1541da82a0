import { ProblemError } from '../calls/problems.ts'

/**
 * The passwords that are tried first, of six characters or more and in lower case: runs of digits and keys, names,
 * clubs, seasons, and what this product's users would think of. Seen at the top of the published lists of leaked
 * passwords, year after year; a person who guesses by hand tries no others.
 */
export const commonPasswords: ReadonlySet<string> = new Set(
  `
    123456 1234567 12345678 123456789 1234567890 12345678910 0123456789 987654321 9876543210 654321 87654321
    7654321 0987654321 111111 1111111 11111111 111111111 1111111111 222222 22222222 333333 333333333 444444
    55555555 555555 666666 66666666 777777 7777777 77777777 888888 88888888 888888888 999999 99999999 999999999
    000000 0000000 00000000 0000000000 112233 11223344 1122334455 121212 12121212 123123 123123123 12312312 123321
    1234321 123454321 12341234 123456123456 102030 10203040 101010 131313 134679 147258 147258369 147852 159357
    159753 159951 171717 212121 232323 252525 258456 321321 369258147 456456 456789 519420 696969 753951 789456
    789456123 852456 963852741 a12345 a123456 a1234567 a12345678 a123456789 aa123456 aa12345678 abc123 abc1234
    abc12345 abc123456 abcd123 abcd1234 abcd12345 abcdef abcdefg abcdefgh abcdef123 1a2b3c 1a2b3c4d 1q2w3e
    1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx 1qaz2wsx3edc 1qazxsw2 q1w2e3 q1w2e3r4 q1w2e3r4t5 qaz123 qazwsx
    qazwsxedc qazxsw zaq12wsx zaq1zaq1 zaqwsx zxcvbn zxcvbnm zxcvbnm123 asdfgh asdfghj asdfghjk asdfghjkl asdf1234
    asdfasdf asd123 asdasd asdqwe123 qweasd qweasdzxc qwe123 qwe12345 qweqwe qweqweqwe qwer1234 qwert1 qwerty
    qwerty1 qwerty12 qwerty123 qwerty1234 qwerty12345 qwerty123456 qwertyu qwertyui qwertyuiop qwertz azerty
    azertyuiop azerty123 poiuytrewq mnbvcxz lkjhgfdsa 123abc 123qwe 123qweasd 12qwaszx 1234qwer qwer123 123456a
    123456aa 1234567a 12345678a 123456789a 123456abc 12345a 12345q 12345qwert 1234abcd a1b2c3 a1b2c3d4 aaaaaa
    aaaaaaa aaaaaaaa aaa111 aa1234 111222 111222333 11112222 password password1 password12 password123
    password1234 password12345 password123456 password01 password2 password! password1! passw0rd p@ssw0rd p@ssword
    pa55word pa55w0rd pass123 pass1234 pass12345 passpass passwd passwort passord parola motdepasse contraseña
    contrasena changeme changeme1 changeme123 change123 letmein letmein1 letmein123 welcome welcome1 welcome12
    welcome123 welcome1234 welcome2024 welcome2025 welcome2026 admin1 admin12 admin123 admin1234 admin12345
    admin123456 administrator adminadmin administrador root123 rootroot toor123 default default1 guest1 guest123
    testing test123 test1234 test12345 testtest tester user123 user1234 username usuario login123 master master1
    master123 secret secret1 secret123 secret1234 sesame opensesame access access14 trustno1 iloveyou iloveyou1
    iloveyou2 iloveyou123 iloveu loveme loveyou lovely love123 love1234 loveyou1 lover1 fuckyou fuckyou1 fuckoff
    asshole bitch1 sunshine sunshine1 princess princess1 monkey monkey1 monkey123 dragon dragon1 dragon123 shadow
    shadow1 superman superman1 batman batman1 spiderman pokemon pokemon1 pokemon123 naruto starwars football
    football1 baseball baseball1 basketball soccer soccer1 hockey cricket tennis liverpool liverpool1 chelsea
    chelsea1 arsenal arsenal1 barcelona realmadrid manchester juventus michael michael1 michelle jordan jordan1
    jordan23 jennifer jessica jessica1 ashley ashley1 nicole nicole1 daniel daniel1 andrew andrea anthony charlie
    charlie1 thomas thomas1 robert robert1 matthew joshua joshua1 william george harley hunter hunter1 hunter2
    ranger buster tigger ginger pepper cookie cookie1 summer summer1 summer123 summer2024 summer2025 summer2026
    winter winter1 winter123 winter2024 winter2025 winter2026 spring2024 spring2025 spring2026 autumn2025
    autumn2026 january february october november december monday friday freedom freedom1 flower flower1 purple
    purple1 orange yellow silver golden diamond computer computer1 internet samsung samsung1 samsung123 iphone
    apple123 google google1 google123 facebook facebook1 linkedin twitter instagram whatsapp microsoft windows
    windows1 mustang mercedes ferrari porsche corvette yamaha killer killer1 hacker matrix phoenix falcon eagle1
    cowboy cowboys steelers lakers yankees dallas london berlin newyork chicago houston america canada australia
    germany brasil mexico merlin maggie bailey taylor taylor1 amanda angela angels angel1 angel123 babygirl
    babygirl1 baby123 butterfly butterfly1 hello1 hello12 hello123 hello1234 hellohello helloworld hello! whatever
    whatever1 nothing blink182 jesus1 jesus123 jesuschrist christ heaven blessed blessed1 family family1 friends
    friends1 forever mother father sister brother nintendo playstation minecraft fortnite gaming gamer1 player1
    player123 legend soldier sparky snoopy rocky1 rainbow chocolate cheese banana strawberry pumpkin peanut coffee
    qwerty! qwerty1! abc123! admin! admin@123 pass@123 password@123 welcome@123 test@123 india123 india@123
    pakistan manager manager1 service support support1 office office123 business company company123 conference
    networking organizer organiser volunteer beacon beacons beaconry beacon1 beacon123 beaconry1 beaconry123
    event123 events events123 meetup
  `
    .trim()
    .split(/\s+/),
)

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
