// What a mail header, a calendar or a lock screen could take for a command, and what turns text's direction.
// eslint-disable-next-line no-control-regex
const controls = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g
// The same but for line breaks and tabs.
// eslint-disable-next-line no-control-regex
const controlsInText = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** A soft hyphen, a filler, a tag or the braille blank shows nothing. */
const seen = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u

export const isVisible = (text: string): boolean => seen.test(text)

/** Cuts between characters: half of one would be a broken sign, or no text at all to a database. */
export function cutTo(text: string, longest: number): string {
  return text.length <= longest ? text : [...text].slice(0, longest).join('')
}

/** Removes unseen characters; `longest` counts characters. */
export function oneLine(text: string, longest: number): string {
  return cutTo(text.replace(controls, ' ').trim(), longest)
}

/** Removes unseen characters but tabs. */
export function manyLines(text: string): string {
  return withoutControls(text).trim()
}

/** For a screen or terminal: keeps line breaks and tabs. */
export function withoutControls(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(controlsInText, '')
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '')
}

export function utf8Bytes(text: string): number {
  let bytes = 0
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
  }
  return bytes
}
