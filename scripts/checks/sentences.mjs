// `npm run check -- sentences` finds comments that are no sentences, names and words that only this project uses, and a
// glossary that is too long.
import { readdirSync, readFileSync } from 'node:fs'
import { isFragment, sentencesOf } from './main-verb.mjs'
import { allFiles, isTest } from './source-files.mjs'

const maxFragmentPercent = 3
const maxOfDialectWord = 5
const maxGlossary = 16
const dialect = ['stands', 'anew', 'meanwhile', 'by itself', 'by themselves', 'is told', 'are told', 'beside', 'nobody']
dialect.push('newest word', 'whoever', 'somebody', 'e-mail')

const comments = /(?<=^|[\s{(,;])\/\*+([\s\S]*?)\*\/|(?<=^|[ \t])\/\/ ?(.*(?:\n[ \t]*\/\/ ?.*)*)/gm

/** Directives to tools, and comments without a word, are left out. */
function commentsOf(text) {
  return [...text.matchAll(comments)]
    .map(({ 1: block, 2: lines, index }) => ({
      line: text.slice(0, index).split('\n').length,
      text: (block ?? lines)
        .replaceAll(/^[ \t]*(?:\*|\/\/) ?/gm, '')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    }))
    .filter(({ text: words }) => sentencesOf(words).length > 0 && !/^(?:eslint|oxlint|@ts-|`npm )/.test(words))
}

const read = (file) => ({ file, text: readFileSync(file, 'utf8') })
const code = allFiles()
  .filter((file) => /\.(?:ts|tsx|mjs)$/.test(file))
  .map(read)
const production = code.filter(({ file }) => !isTest(file) && !file.includes('/checks/sentence'))
const found = production.flatMap(({ file, text }) => commentsOf(text).map((one) => ({ ...one, file })))
const fragments = found.filter(({ text }) => isFragment(text))
const isDoc = (file) => file.endsWith('.md') && !/CHANGELOG|node_modules/.test(file)
const docs = [...readdirSync('.'), ...readdirSync('docs').map((name) => `docs/${name}`), ...allFiles()].filter(isDoc)
const wrong = []
if (fragments.length * 100 > found.length * maxFragmentPercent)
  wrong.push(...fragments.map(({ file, line, text }) => `${file}:${line}: no sentence: ${text}`))
for (const word of dialect) {
  const spelled = new RegExp(`\\b${word}\\b`, 'gi')
  const places = [...production, ...docs.map(read)].flatMap(({ file, text }) =>
    [...text.matchAll(spelled)].map(({ index }) => `${file}:${text.slice(0, index).split('\n').length}: "${word}"`),
  )
  if (places.length > maxOfDialectWord) wrong.push(...places)
}
for (const { file, text } of code)
  for (const [name] of text.matchAll(/\bmost[A-Z]\w*/g)) wrong.push(`${file}: ${name} is max${name.slice(4)}`)
const glossary =
  readFileSync('ARCHITECTURE.md', 'utf8')
    .split('\n## Words\n')[1]
    ?.match(/^\| \*\*/gm)?.length ?? 0
if (glossary === 0 || glossary > maxGlossary) wrong.push(`ARCHITECTURE.md: ${glossary} words, of ${maxGlossary}`)
if (found.length === 0) wrong.push('no comment was read: the check itself is broken')
for (const line of wrong) console.error(line)
console.log(`sentences: ${found.length} comments, ${fragments.length} that are none; a glossary of ${glossary} words`)
process.exit(wrong.length === 0 ? 0 : 1)
