/**
 * Gives names one form for searching and sorting, on phones and, as the SQL function `plain_text`, on the server:
 * without case and accents, with the letters that Unicode does not take apart, without apostrophes, interpuncts and what
 * shows nothing, hyphens as spaces.
 */
export function plainText(text: string): string {
  if (ascii.test(text)) return text.replace(/['`]/g, '').replaceAll('-', ' ').toLowerCase()
  return text
    .replace(apostrophes, '')
    .normalize('NFKD')
    .replace(ignored, '')
    .toLowerCase()
    .replace(undivided, (letter) => letters[letter] ?? letter)
    .replace(hyphens, ' ')
}

// Most texts match this, which takes a tenth of the time.
const ascii = /^[\n\x20-\x7e]*$/
/** They go before Unicode makes a space of some, and after it has made some of other characters. */
const apostrophe = "'`´ʹʻʼʽʾʿˈˊˋ՚׳‘’‛′‵Ꞌꞌ＇｀\u0384\u1fbd\u1fbf\u1ffd\u1ffe"
const apostrophes = new RegExp(`[${apostrophe}]`, 'g')
/** Combining marks of Latin, Greek and Cyrillic; vowel signs of other scripts are letters. */
const mark = '\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f'
const unseen = '\u00ad\u200b-\u200d\u2060\ufeff'
const ignored = new RegExp(`[${apostrophe}${mark}${unseen}·]`, 'g')
const letters: Readonly<Record<string, string>> = {
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ŧ: 't',
  ŋ: 'n',
  ı: 'i',
  ə: 'e',
  ĸ: 'k',
  ς: 'σ',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
}
const undivided = new RegExp(`[${Object.keys(letters).join('')}]`, 'g')
const hyphens = /[-‐‑‒–—―−﹘﹣－]/g

/** The words of a search as `wordFinder` looks for them. */
export const searchedWords = (typed: string): readonly string[] => plainText(typed).split(/\s+/u).filter(Boolean)

/**
 * Whether all typed words are in some texts, in any order; no word is in all of them. A hyphen separates words or joins
 * them: "Jean-Luc" is found as "jean luc", "jean-luc" and "jeanluc".
 */
export function wordFinder(typed: string): (...texts: readonly (string | null)[]) => boolean {
  const words = searchedWords(typed)
  return (...texts) => {
    if (words.length === 0) return true
    const joined = texts.join('\n')
    const searched = plainText(joined)
    const unhyphenated = hyphens.test(joined) ? plainText(joined.replace(hyphens, '')) : ''
    hyphens.lastIndex = 0
    return words.every((word) => searched.includes(word) || unhyphenated.includes(word))
  }
}

/** Sorts by `plainText`, then as written, so that the order does not depend on the device. Each name is read once. */
export function sortedByNames<T>(items: readonly T[], namesOf: (item: T) => readonly string[]): T[] {
  return items
    .map((item) => {
      const names = namesOf(item)
      return { item, key: [...names.map(plainText), ...names].join('\n') }
    })
    .sort((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0))
    .map(({ item }) => item)
}
