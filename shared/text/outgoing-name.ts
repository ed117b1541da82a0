const longestName = 80

/** Could hide an address inside a word; joiners belong to scripts and pictures. Fillers count as letters elsewhere. */
const unseen = /(?![\u200c\u200d])\p{Cf}|[\u115f\u1160\u3164\uffa0]/gu
const gaps = /[\s\p{Cc}]+/gu
/** Some programs read these like the plain ones. */
const otherDots = /[\u2024\ufe52\uff0e\uff61]/g
const otherAts = /[\ufe6b\uff20]/g

/** A dot between a letter or digit and two letters, or an IPv4 address; `.js` ends no host. */
const host = /[\p{L}\p{M}\p{N}_-]\.(?!js(?![\p{L}\p{N}.-]))(?:[\p{L}\p{M}]{2}|xn--)|\d{1,3}(?:\.\d{1,3}){3}/iu
const address = /\S@\S|\/\/|\\\\|^\P{L}*(?:www\.|(?:mailto|tel|sms|javascript|data|file):\S)/iu
/** Matches initials or a title without a space behind the dot, such as `J.R.Smith`. */
const initials = /^(\P{L}*(?:(?:\p{Lu}\.)+|(?:Dr|Mrs?|Ms|Prof|St|Mt|Jr|Sr|No|Vol)\.))(\p{Lu}[^.@/\\:]*)$/u

/** Matches from the first digit to the last without a letter between. */
const digits = /[^\p{L}\s]*\p{Nd}[^\p{L}]*\p{Nd}[^\p{L}\s]*/gu
const shortestPhone = 7
/** Days, years and times have digits, too, and are no part of a telephone number. */
const ofCalendar =
  /(?<!\p{Nd})(?:(?:\d{1,2}[./-]){2}(?:19|20)\d\d|(?:19|20)\d\d(?:-\d\d-\d\d)?|[0-2]?\d:[0-5]\d)(?!\p{Nd})/gu

/** A gap could make an address of what is around the number, so a mark takes its place. */
function withoutPhones(text: string): string {
  return text
    .replace(digits, (found) =>
      (found.replace(ofCalendar, '').match(/\p{Nd}/gu)?.length ?? 0) < shortestPhone ? found : '…',
    )
    .split(' ')
    .filter((word) => word !== '…')
    .join(' ')
}

/** Returns one line without unseen characters, links, email addresses and hosts. */
export function withoutAddresses(text: string): string {
  return text
    .replace(unseen, '')
    .replace(otherDots, '.')
    .replace(otherAts, '@')
    .split(gaps)
    .map((word) => word.replace(initials, '$1 $2'))
    .filter((word) => word !== '' && !address.test(word) && !word.split(' ').some((part) => host.test(part)))
    .join(' ')
}

/** Returns one line of a text that a mail may carry although its writer is unknown. */
export const withoutContacts = (text: string): string => withoutPhones(withoutAddresses(text))

/**
 * Makes a name for a mail, an alert or a terminal: without addresses, telephone numbers and control characters, at most
 * 80 characters, perhaps empty. Doing it twice changes nothing.
 */
export function outgoingName(name: string): string {
  const characters = [...withoutContacts(name)]
  if (characters.length <= longestName) return characters.join('')
  return `${characters
    .slice(0, longestName - 1)
    .join('')
    .trimEnd()}…`
}
