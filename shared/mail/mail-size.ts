import { utf8Bytes } from '../text/plain-text.ts'

/** Counts the mail as it leaves: headers, both parts, encoding and calendar file. */
export const largestMailBytes = 20_000

const cutNote = '[… shortened: the text is too long for one email]'

/** Mail programs may take these for addresses; mail-html.ts interrupts each with an element. */
export const linkLike = /(?<=\w)(?:[.@](?=\w)|:\/\/)/g
const entities = /[&<>"']/g

/** In quoted-printable (RFC 2045, section 6.7), the longer of a mail's two encodings, with line breaks. */
export function encodedBytes(text: string): number {
  let bytes = 0
  for (const character of text) {
    const size = utf8Bytes(character)
    bytes += size > 1 || character === '=' ? 3 * size : 1
  }
  return Math.ceil(bytes * 1.05)
}

const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0

/** Returns an upper bound of a text as text and as HTML, where lines become elements. */
export function letterBytes(text: string): number {
  const markup = 13 * count(text, linkLike) + 5 * count(text, entities) + 22 * count(text, /\n/g)
  return 2 * encodedBytes(text) + markup
}

/** Cuts between characters and adds `…` at the end. */
export function cutToBytes(text: string, max: number): string {
  if (utf8Bytes(text) <= max) return text
  let bytes = utf8Bytes('…')
  let kept = ''
  for (const character of text) {
    bytes += utf8Bytes(character)
    if (bytes > max) break
    kept += character
  }
  return `${kept.trimEnd()}…`
}

/** `maxBytes` counts as `letterBytes` does. The letter is cut at a nearby word's end and gets a note. */
export function cutLetter(text: string, maxBytes: number): string {
  if (letterBytes(text) <= maxBytes) return text
  const note = `\n\n${cutNote}`
  const characters = [...text]
  const head = (length: number) => `${characters.slice(0, length).join('').trimEnd()}${note}`
  let fits = 0
  let tooLong = Math.min(characters.length, maxBytes)
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2)
    if (letterBytes(head(middle)) <= maxBytes) fits = middle
    else tooLong = middle
  }
  const kept = characters.slice(0, fits).join('')
  const wordEnd = Math.max(kept.lastIndexOf(' '), kept.lastIndexOf('\n'))
  return `${(wordEnd > kept.length - 60 ? kept.slice(0, wordEnd) : kept).trimEnd()}${note}`
}
