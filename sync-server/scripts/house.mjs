// How the house is built, in figures: `npm run house`. Counted on the sources, types included; tests, pictures and benchmarks
// are left out. The aims are those of ARCHITECTURE.md.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { allFiles, boxes, importsOf, isTest } from './source-files.mjs'
import { circles } from './circles.mjs'

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

/** The room a file stands in: the folder below its box, or the box itself. */
const roomOf = (file) => {
  const parts = file.split('/')
  return parts.length > 2 ? parts.slice(0, 2).join('/') : parts[0]
}

function roomsImports() {
  const from = new Map()
  for (const { file } of sources) {
    const room = roomOf(file)
    const into = from.get(room) ?? new Set()
    from.set(room, into)
    for (const { target, isFile } of importsOf(file)) {
      if (isFile && boxes.includes(target.split('/')[0]) && roomOf(target) !== room) into.add(roomOf(target))
    }
  }
  return from
}

const spellings = (name) => {
  const apart = (by) => name.replaceAll(/[A-Z]/g, (letter) => by + letter.toLowerCase())
  return new RegExp(`(?<![\\w-])(?:${name}|${apart('_')}|${apart('-')})(?![\\w-])`)
}
/** The files that name something, screens and forms apart: those show it and are written for it anyway. */
const naming = (name) =>
  sources
    .filter(({ file, text }) => spellings(name).test(text) && !/^pwa\/(?:screens|content)\//.test(file))
    .filter(({ file }) => !/\/(?:migrations|seeds)\//.test(file))
    .map(({ file }) => file)

const perFolder = new Map()
for (const file of files) perFolder.set(path.posix.dirname(file), (perFolder.get(path.posix.dirname(file)) ?? 0) + 1)
const crowded = [...perFolder].filter(([folder, count]) => count > mostFilesInFolder && folder !== 'pwa/ui')
const long = sources.filter((source) => lines(source) > longestFile)
const round = circles(roomsImports())

const rows = [
  ['production files', sources.length, '≤ 540', []],
  ['production lines', sources.reduce((sum, source) => sum + lines(source), 0), '≤ 45000', []],
  [
    `production files over ${longestFile} lines`,
    long.length,
    '0',
    long.map((source) => `${source.file} ${lines(source)}`),
  ],
  [
    `folders with more than ${mostFilesInFolder} files`,
    crowded.length,
    '0',
    crowded.map(([folder, count]) => `${folder} ${count}`),
  ],
  ['circles between rooms', round.length, '0', round.map((rooms) => rooms.join(' '))],
  [`files that name a plain event field (${plainField})`, naming(plainField).length, '≤ 3', naming(plainField)],
  [`files that name an offline change (${offlineChange})`, naming(offlineChange).length, '≤ 6', naming(offlineChange)],
]
for (const [what, count, aim, which] of rows) {
  console.log(`${what}: ${count} (aim ${aim})`)
  for (const one of which) console.log(`    ${one}`)
}
