/** Ends before punctuation, which belongs to the sentence, and before invisible characters, which could disguise it. */
const address = /(https:\/\/[^\s<>"`\p{Cc}\p{Cf}]*[^\s<>"`\p{Cc}\p{Cf}.,;:!?'’“”)\]}…])/giu

export interface LinkPart {
  /** The part begins here in the text. */
  readonly at: number
  readonly text: string
  readonly isLink: boolean
}

/** An address with a user's name before its host pretends to lead somewhere else. */
function isPlainAddress(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { username, password } = new URL(text)
  return username === '' && password === ''
}

/** Returns a text as its readers see it, with the https addresses in it apart. */
export function linkPartsOf(text: string): LinkPart[] {
  let at = 0
  const parts = text.split(address).map((part, index) => {
    const found = { at, text: part, isLink: index % 2 === 1 && isPlainAddress(part) }
    at += part.length
    return found
  })
  return parts.filter((part) => part.text !== '')
}
