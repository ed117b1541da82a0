/** It matches what follows a link in a sentence. Browsers encode some of that. */
const behind = /(?:[.,;:!?'")>\]}*]|%(?:22|29|3E|5D|C2%BB|E2%80%..))+$/i

export const withoutPunctuation = (text: string): string => text.replace(behind, '')

const mend = (part: string) => withoutPunctuation(part.replace(/[&?].*/, ''))

export const mendedPath = (pathname: string): string => mend(pathname) || '/'

/**
 * Finds the address that a link meant. Chats take a bracket or a full stop behind a link for a part of it, and add
 * `&fbclid=` where no query begins. A query stays as it is.
 */
export function mendedAddress(given: {
  readonly pathname: string
  readonly search: string
  readonly hash: string
}): string {
  const { pathname, search, hash } = given
  return mendedPath(pathname) + search + mend(hash)
}
