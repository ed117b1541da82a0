// `doors.json` names what each folder may import. Errors are other imports, a file in no room, a missing room, circles
// of rooms or files, and a package of the server at work that `npm ci --omit=dev` would leave out.
import { existsSync, readFileSync } from 'node:fs'
import {
  circles,
  allFiles,
  importsBetweenFiles,
  importsBetweenRooms,
  importsOf,
  isTest,
  isUnder,
} from './source-files.mjs'

const table = JSON.parse(readFileSync(new URL('doors.json', import.meta.url), 'utf8'))

/** The first, longest folder that holds a file is its room. */
const rooms = Object.entries(table)
  .map(([folder, doors]) => ({ folder, doors: [folder, ...doors] }))
  .sort((one, other) => other.folder.length - one.folder.length)

/** Only `app` opens screens, and only the table of calls calls handlers. */
const onlyFromApp = /-(?:screen\.tsx|handlers\.ts)$/

/** A package by name or scope, Node's modules by `node:*`, a file by its room or a folder above it. */
function allows(doors, target, isFile) {
  return doors.some((door) => {
    if (door === 'everything') return true
    if (door === 'node:*') return target.startsWith('node:')
    return isFile ? isUnder(target, door) : target === door || target.startsWith(`${door}/`)
  })
}

const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
const runsOnServer = /^(?:shared|sync-server\/(?!scripts\/(?!commands\/)))/
const packageOf = (specifier) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)[0]

const wrong = rooms
  .filter(({ folder }) => !existsSync(folder))
  .map(({ folder }) => `${folder}: doors.json has a room that is not there`)
let imports = 0
for (const file of allFiles()) {
  if (!/\.tsx?$/.test(file) || isTest(file) || file.endsWith('.d.ts')) continue
  const room = rooms.find(({ folder }) => isUnder(file, folder))
  if (!room) {
    wrong.push(`${file}: stands in no room`)
    continue
  }
  for (const { specifier, target, isFile } of importsOf(file)) {
    imports++
    const isShut = isFile && onlyFromApp.test(target) && !/^(?:pwa|sync-server)\/app\//.test(file)
    if (isShut || !allows(room.doors, target, isFile)) wrong.push(`${file}: may not import ${specifier}`)
    const isPackage = !isFile && !target.startsWith('node:')
    if (isPackage && runsOnServer.test(file) && !dependencies[packageOf(target)])
      wrong.push(`${file}: the server needs ${packageOf(target)}, which is not in dependencies`)
  }
}
for (const circle of circles(importsBetweenRooms())) wrong.push(`these rooms lead to each other: ${circle.join(' ')}`)
for (const circle of circles(importsBetweenFiles())) wrong.push(`these files lead to each other: ${circle.join(' ')}`)
if (imports === 0) wrong.push('no import was read: the check itself is broken')
for (const line of wrong) console.error(line)
console.log(`doors: ${imports} imports, ${wrong.length} through a wall`)
process.exit(wrong.length === 0 ? 0 : 1)
