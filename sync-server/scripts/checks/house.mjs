// How the house is built, in figures: `npm run house`. Counted on the sources, types included; tests, pictures and benchmarks
// are left out. Beside each figure stands the aim.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { circles, allFiles, importsBetweenRooms, isTest } from './source-files.mjs'

const longestFile = 400
const mostFilesInFolder = 30
/** An event's field that no rule is about, and a change an organizer makes without a network: each stands for its like. */
const plainField = 'registrationUrl'
const offlineChange = 'markApplication'

const files = allFiles()
const sources = files
  .filter((file) => /\.(ts|tsx|mjs)$/.test(file) && !isTest(file) && !file.endsWith('/house.mjs'))
  .map((file) => ({ file, text: readFileSync(file, 'utf8') }))
const lines = ({ text }) => text.split('\n').length - 1
/** Without blank lines and those of comments alone. */
const linesOfCode = ({ text }) =>
  text.split('\n').filter((line) => line.trim() && !/^\s*(?:\/\/|\/?\*)/.test(line)).length

const spellings = (name) => {
  const apart = (by) => name.replaceAll(/[A-Z]/g, (letter) => by + letter.toLowerCase())
  return new RegExp(`(?<![\\w-])(?:${name}|${apart('_')}|${apart('-')})(?![\\w-])`)
}
/** A screen shows a field or offers a change because it is about it; a form is written for it. */
const isScreen = (file) =>
  /^pwa\/(?:app|events|applications|mail|accounts|billing|queue|admin|site|ui\/page)\//.test(file) &&
  !file.endsWith('-form.tsx')
const isData = (file) => /\/(?:migrations|seeds)\//.test(file)
/** The files that name something, screens apart. */
const naming = (name) =>
  sources
    .filter(({ file, text }) => spellings(name).test(text) && !isScreen(file) && !isData(file))
    .map(({ file }) => file)

const perFolder = new Map()
for (const file of files) perFolder.set(path.posix.dirname(file), (perFolder.get(path.posix.dirname(file)) ?? 0) + 1)
const crowded = [...perFolder].filter(([folder, count]) => count > mostFilesInFolder && folder !== 'pwa/ui')
const long = sources.filter((source) => lines(source) > longestFile)
const round = circles(importsBetweenRooms())

/** One figure: what is counted, how many there are, how many there are to be, and which they are. */
function row(what, count, aim, which = []) {
  console.log([`${what}: ${String(count)} (aim ${String(aim)})`, ...which.map((one) => `    ${one}`)].join('\n'))
}
const longFiles = long.map((source) => `${source.file} ${lines(source)}`)
const crowdedFolders = crowded.map(([folder, count]) => `${folder} ${count}`)
const roundAbout = round.map((rooms) => rooms.join(' '))
const sumOf = (count) => sources.reduce((sum, source) => sum + count(source), 0)
const [fields, changes] = [naming(plainField), naming(offlineChange)]
row('production files', sources.length, '≤ 540')
row('lines of code in them', sumOf(linesOfCode), '≤ 45000')
row('with comments and blank lines', sumOf(lines), '–')
row(`production files over ${longestFile} lines`, long.length, '0', longFiles)
row(`folders with more than ${mostFilesInFolder} files`, crowded.length, '0', crowdedFolders)
row('circles between rooms', round.length, '0', roundAbout)
row(`files that name a plain event field (${plainField})`, fields.length, '≤ 3', fields)
row(`files that name an offline change (${offlineChange})`, changes.length, '≤ 6', changes)
