const longestName = 40

/** Could hide an address inside a word; joiners belong to scripts and pictures. */
const unseen = /(?![\u200c\u200d])\p{Cf}/gu
const gaps = /[\s\p{Cc}]+/gu
/** Some programs read these like the plain ones. */
const otherDots = /[\u2024\ufe52\uff0e\uff61]/g
const otherAts = /[\ufe6b\uff20]/g

/** A dot between a letter or digit and two letters, or an IPv4 address; `.js` ends no host. */
const host = /[\p{L}\p{M}\p{N}_-]\.(?!js(?![\p{L}\p{N}.-]))(?:[\p{L}\p{M}]{2}|xn--)|\d{1,3}(?:\.\d{1,3}){3}/iu
const address = /\S@\S|\/\/|\\\\|^\P{L}*(?:www\.|(?:mailto|tel|sms|javascript|data|file):\S)/iu
/** Initials or a title without a space behind the dot, such as `J.R.Smith`. */
const initials = /^(\P{L}*(?:(?:\p{Lu}\.)+|(?:Dr|Mrs?|Ms|Prof|St|Mt|Jr|Sr|No|Vol)\.))(\p{Lu}[^.@/\\:]*)$/u

/** One line without unseen characters, links, e-mail addresses and hosts. */
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

/**
 * A name for a mail, an alert or a terminal: without addresses and control characters, at most 40 characters, perhaps
 * empty. Idempotent.
 */
export function outgoingName(name: string): string {
  const characters = [...withoutAddresses(name)]
  if (characters.length <= longestName) return characters.join('')
  return `${characters
    .slice(0, longestName - 1)
    .join('')
    .trimEnd()}…`
}
