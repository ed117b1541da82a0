/** Text in which `[words](/address)` is a link and `**words**` are stressed. */
export type RichText = string

/** A stretch of text under a heading of its own. */
export interface Passage {
  readonly heading?: string
  readonly body: readonly (
    RichText | { readonly list: readonly RichText[] } | { readonly steps: readonly RichText[] }
  )[]
}

/** A question as people ask it, and the answer's paragraphs. */
export interface Question {
  readonly question: string
  readonly answer: readonly RichText[]
}

/** A thought with a name, short enough for a card. */
export interface Tip {
  readonly title: string
  readonly text: RichText
}
