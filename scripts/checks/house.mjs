// Prints how the house is built, in figures with their aims (`npm run check -- house`). `--missed` prints only the
// figures that miss their aim.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { allFiles, circles, importsBetweenFiles, isTest } from './source-files.mjs'

const longestFile = 400
const maxFilesInFolder = 30
const longestTitle = 90
/**
 * No rule is about this field of an event, and an organizer makes this change without a network: each is an example of
 * its kind.
 */
const plainField = 'registrationUrl'
const offlineChange = 'markApplication'

const here = fileURLToPath(new URL('.', import.meta.url))
const files = allFiles()
const read = (file) => ({ file, text: readFileSync(file, 'utf8') })
const code = files.filter((file) => /\.(ts|tsx|mjs|css|sql)$/.test(file) && !file.endsWith('/house.mjs')).map(read)
const production = code.filter(({ file }) => !isTest(file))
const tests = code.filter(({ file }) => isTest(file) && !file.includes('/bench/'))

const lines = ({ text }) => text.split('\n').length - 1
const sumOf = (sources, count) => sources.reduce((sum, source) => sum + count(source), 0)
/** Lists the production files that name something, in whatever spelling. */
function naming(name) {
  const apart = (by) => name.replaceAll(/[A-Z]/g, (letter) => by + letter.toLowerCase())
  const spellings = new RegExp(`(?<![\\w-])(?:${name}|${apart('_')}|${apart('-')})(?![\\w-])`)
  return production.filter(({ text }) => spellings.test(text)).map(({ file }) => file)
}

/** Takes what a title computes as a number of five digits, and leaves the mark of nightly journeys out. */
const longTitles = ({ file, text }) =>
  [...text.matchAll(/^ *(?:it|test|\w+Test)\b[^'"`\n]*(?:\(\n? *)(['"`])(.*?)(?<!\\)\1/gm)]
    .map(([, , title]) =>
      title
        .replace(/\$\{.*?\}/g, '12345')
        .replace(/\\(.)/g, '$1')
        .replace(' @nightly', ''),
    )
    .filter((title) => title.length > longestTitle)
    .map((title) => `${file}: ${title}`)

/** Each call of the table has one summary. */
const calls = sumOf(
  production.filter(({ file }) => /^shared\/.*-calls\.ts$/.test(file)),
  ({ text }) => text.match(/^\s+summary:|\{ summary:/gm)?.length ?? 0,
)

const perFolder = new Map()
for (const file of files) perFolder.set(path.posix.dirname(file), (perFolder.get(path.posix.dirname(file)) ?? 0) + 1)

const stretches = readFileSync(path.join(here, 'approval-walk.txt'), 'utf8')
  .split('\n')
  .filter((line) => line && !line.startsWith('#'))
  .map((line) => line.split(': '))
const walked = new Set(stretches.flatMap(([room, names]) => names.split(' ').map((name) => `${room}/${name}`)))
const roomChanges = stretches.filter(([room], index) => index > 0 && room !== stretches[index - 1][0]).length

/** Each figure says what is counted, how many there are or which they are, and how many there may be at most. */
const figures = [
  ['production files', production.length, 500],
  ['lines in them', sumOf(production, lines), 48_000],
  [`lines for each of the ${calls} calls`, Math.round(sumOf(production, lines) / calls), 540],
  ['lines of tests', sumOf(tests, lines), 40_000],
  [`titles of tests over ${longestTitle} characters`, tests.flatMap(longTitles), 0],
  ['files that one approval runs through', walked.size, 65],
  ['changes of room on its way', roomChanges, 20],
  [`files that name a plain field of an event (${plainField})`, naming(plainField), 5],
  [`files that name an offline change (${offlineChange})`, naming(offlineChange), 6],
  ['circles between files', circles(importsBetweenFiles()).map((circle) => circle.join(' ')), 0],
  [
    `production files over ${longestFile} lines`,
    production
      .filter((source) => !source.file.endsWith('.css') && lines(source) > longestFile)
      .map((source) => source.file),
    0,
  ],
  [
    `folders with more than ${maxFilesInFolder} files`,
    [...perFolder].filter(([folder, count]) => count > maxFilesInFolder && folder !== 'pwa/ui').map(String),
    0,
  ],
]

const onlyMissed = process.argv.includes('--missed')
for (const [what, found, aim] of figures) {
  const which = Array.isArray(found) ? found : []
  const count = Array.isArray(found) ? found.length : found
  const isMissed = count > aim
  if (onlyMissed && !isMissed) continue
  console.log(`  ${what}: ${count} (at most ${aim}${isMissed ? ': missed' : ''})`)
  if (!onlyMissed) for (const one of which) console.log(`      ${one}`)
}

const lost = [...walked].filter((file) => !existsSync(`${file}.ts`) && !existsSync(`${file}.tsx`))
for (const file of lost) console.error(`approval-walk.txt names a file that is not there: ${file}`)
process.exit(lost.length === 0 ? 0 : 1)
