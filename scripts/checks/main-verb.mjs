// Judges whether a text is a sentence: whether it has a verb in a clause that no word like "that" or "because" introduces.
// Such a verb is an auxiliary, a verb after its subject, or a verb at the beginning ("Returns undefined.", "Run this
// once."). The words around it decide, so single texts are misjudged; `main-verb.test.ts` says how many.
import { readFileSync } from 'node:fs'

const lists = JSON.parse(readFileSync(new URL('sentence-words.json', import.meta.url), 'utf8'))
const listed = Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, new Set(list.split(' '))]))
const ending = (verb) => (/(?:s|sh|ch|x|z|[^aeiou]o)$/.test(verb) ? 'es' : 's')
const third = (verb) => (/[^aeiou]y$/.test(verb) ? `${verb.slice(0, -1)}ies` : verb + ending(verb))
const baseOf = new Map([...listed.verbs].map((verb) => [third(verb), verb]))
const adverb = /ly$|^(?:also|never|always|often|still|then|not|only|once|again|too|already|thus|both|all|even|rather)$/
const plural =
  /[^s']s$|^(?:they|we|you|i|people|both|many|others|children|which|that|who|all|two|and|these|those|most)$/

/** Tells whether the word at a place is a finite verb, as far as its neighbours show. */
function isFinite(clause, at) {
  const word = clause[at]
  const next = clause[at + 1]
  const before = clause.slice(0, at).filter((one) => !adverb.test(one))
  const previous = before.at(-1)
  if (listed.always.has(word) || listed.past.has(word)) return !listed.always.has(previous)
  const singular = baseOf.get(word)
  const isFirst = previous === undefined
  const opens = next === undefined || listed.openers.has(next)
  if (singular !== undefined && isFirst)
    return (
      !listed.nounLike.has(singular) ||
      (next !== undefined &&
        ((!listed.afterNoun.has(next) && next !== 'included' && !listed.pastOrParticiple.has(next)) ||
          (listed.doing.has(singular) && !/^(?:of|for|that|which|who)$/.test(next))))
    )
  if (isFirst && listed.pastOrParticiple.has(word)) return listed.objects.has(next)
  if (isFirst)
    return at === 0 && listed.verbs.has(word) && next !== undefined && !listed.afterNoun.has(next) && next !== 'by'
  if (
    listed.pronouns.has(previous) &&
    (singular !== undefined || /..ed$/.test(word) || listed.pastOrParticiple.has(word))
  )
    return true
  if (listed.determiners.has(previous) || previous.endsWith("'s") || listed.always.has(previous)) return false
  if (singular !== undefined)
    return !listed.nounLike.has(singular) || (opens && next !== undefined) || !previous.endsWith('s')
  if (listed.verbs.has(word)) return before.some((one) => plural.test(one)) && (!listed.nounLike.has(word) || opens)
  return (/..ed$/.test(word) || listed.pastOrParticiple.has(word)) && listed.objects.has(next)
}

/** Tells whether a pronoun after the word goes with it, and does not begin a clause that says more of a noun. */
const isJoining = (word) =>
  listed.subordinators.has(word) ||
  listed.afterNoun.has(word) ||
  listed.verbs.has(word) ||
  baseOf.has(word) ||
  /^(?:by|but|than|nor|so)$|ed$/.test(word)

/** @returns whether the text has a finite verb outside of subordinate clauses, of which each takes up one verb */
export function hasMainVerb(sentence) {
  return sentence.split(/[,;:()–—…]+/).some((clause) => {
    const words = clause.match(/[\p{L}\d][\p{L}\d'’-]*/gu)?.map((word) => word.replace('’', "'").toLowerCase()) ?? []
    const plain = words.map((word) => (word === 'x' ? 'X' : word))
    let open = 0
    for (const [at, word] of plain.entries()) {
      const next = plain[at + 1] ?? ''
      const isClear = !/^(?:as|since|before|after|than|until|once)$/.test(word) || at === 0 || listed.pronouns.has(next)
      const isPronoun = next === 'then' || (at === 0 && /^(?:that|this|now|as)$/.test(next))
      const isContact = at > 1 && /^(?:it|they|we|you)$/.test(word) && !isJoining(plain[at - 1])
      if (isContact || (listed.subordinators.has(word) && isClear && !isPronoun)) open++
      else if (isFinite(plain, at) && open-- <= 0) return true
    }
    return false
  })
}

/** Returns the sentences of a comment. What is quoted counts as a noun, and tags of JSDoc are left out. */
export function sentencesOf(comment) {
  const prose = comment
    .replace(/@\w[\s\S]*$/, '')
    .replaceAll(/`[^`]*`|"[^"]*"|“[^”]*”|'[^'\s][^']*'(?=[\s,.;:)]|$)|\S+\/\S+/g, 'X')
    .replaceAll(/\b(?:e\.g|i\.e|etc|vs)\./g, 'X')
  return prose.split(/(?<=[.!?])\s+(?=[\p{Lu}\d(])/u).filter((sentence) => /\p{L}{2}/u.test(sentence))
}

export const isFragment = (comment) => sentencesOf(comment).some((sentence) => !hasMainVerb(sentence))
