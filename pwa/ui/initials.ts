const segmenter = 'Segmenter' in Intl ? new Intl.Segmenter() : undefined

/**
 * Splits as readers count: an accent, a flag or a family is part of one character. Browsers before 2024 count code
 * points.
 */
const charactersOf = (text: string): string[] =>
  segmenter ? Array.from(segmenter.segment(text), ({ segment }) => segment) : [...text]

/** Takes the first character of each text, or its first `count` characters. */
export const initialsOf = (texts: readonly string[], count = 1): string =>
  texts.flatMap((text) => charactersOf(text).slice(0, count)).join('')
