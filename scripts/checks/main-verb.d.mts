export function hasMainVerb(sentence: string): boolean
export function sentencesOf(comment: string): string[]
export function isFragment(comment: string): boolean
