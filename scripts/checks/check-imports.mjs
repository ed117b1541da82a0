// `allowed-imports.json` names what each folder may import, which oxlint's rules cannot say. Errors are other imports, a file in
// no room, a missing room, circles of rooms, a package of the server at work that `npm ci --omit=dev` would leave out,
// and an entry point of the sync engine that exports too many names.
import { existsSync, readFileSync } from 'node:fs'
import { circles, allFiles, importsBetweenRooms, importsOf, isTest, isUnder } from './source-files.mjs'

const table = JSON.parse(readFileSync(new URL('allowed-imports.json', import.meta.url), 'utf8'))

/** The first, longest folder that holds a file is its room. */
const rooms = Object.entries(table)
  .map(([folder, imports]) => ({ folder, allowed: [folder, ...imports] }))
  .sort((one, other) => other.folder.length - one.folder.length)

/** Doors name a package by name or scope, Node's modules by `node:*`, and a file by its room or a folder above it. */
function allows(allowed, target, isFile) {
  return allowed.some((one) => {
    if (one === 'everything') return true
    if (one === 'node:*') return target.startsWith('node:')
    return isFile ? isUnder(target, one) : target === one || target.startsWith(`${one}/`)
  })
}

const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
const runsOnServer = /^(?:shared|sync-server|scripts\/commands)\//
const packageOf = (specifier) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)[0]

/** `name` is undefined for `export * from`. */
function exportsOf(file) {
  const statements = readFileSync(file, 'utf8').matchAll(/^export (?:type )?(?:\{([^}]*)\}|(\*)(?: as (\w+))?|.*)/gm)
  return [...statements].flatMap(([statement, list, star, name]) => {
    if (star) return [{ name, isNamespace: true }]
    const names = list?.split(',').map((one) => one.trim()) ?? [statement]
    return names.filter(Boolean).map((one) => ({ name: one, isNamespace: false }))
  })
}

const wrong = rooms
  .filter(({ folder }) => !existsSync(folder))
  .map(({ folder }) => `${folder}: allowed-imports.json names a folder that is not there`)
let imports = 0
for (const file of allFiles()) {
  if (!/\.tsx?$/.test(file) || isTest(file) || file.endsWith('.d.ts')) continue
  const room = rooms.find(({ folder }) => isUnder(file, folder))
  if (!room) {
    wrong.push(`${file}: is in no room`)
    continue
  }
  for (const { specifier, target, isFile } of importsOf(file)) {
    imports++
    if (!allows(room.allowed, target, isFile)) wrong.push(`${file}: may not import ${specifier}`)
    const isPackage = !isFile && !target.startsWith('node:')
    if (isPackage && runsOnServer.test(file) && !dependencies[packageOf(target)])
      wrong.push(`${file}: the server needs ${packageOf(target)}, which is not in dependencies`)
  }
}
for (const circle of circles(importsBetweenRooms())) wrong.push(`these folders import each other: ${circle.join(' ')}`)

const syncEntry = 'pwa/sync/index.ts'
const maxSyncNames = 45
const maxSyncNamespaces = 2
const passed = exportsOf(syncEntry)
const namespaces = passed.filter(({ isNamespace }) => isNamespace).length
if (passed.length > maxSyncNames) wrong.push(`${syncEntry}: lets ${passed.length} names through, of ${maxSyncNames}`)
if (namespaces > maxSyncNamespaces)
  wrong.push(`${syncEntry}: has ${namespaces} namespaces, of ${maxSyncNamespaces} for mutations and questions`)
if (passed.some(({ name }) => name === undefined)) wrong.push(`${syncEntry}: passes on a whole file without a name`)
if (passed.length === 0) wrong.push(`no name was read in ${syncEntry}: the check itself is broken`)
if (imports === 0) wrong.push('no import was read: the check itself is broken')
for (const line of wrong) console.error(line)
console.log(`imports: ${imports}, ${wrong.length} that are not allowed`)
process.exit(wrong.length === 0 ? 0 : 1)
