// A lock file written without other platforms' binaries makes `npm ci` fail there; two copies of Dexie stop the page at
// load.
import { readFileSync } from 'node:fs'

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
const wrong = []

function reachable(from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    if (packages[`${folder ? `${folder}/` : ''}node_modules/${name}`]) return true
    if (!folder) return false
  }
}

let optional = 0
for (const [folder, description] of Object.entries(packages)) {
  for (const name of Object.keys(description.optionalDependencies ?? {})) {
    optional++
    if (!reachable(folder, name))
      wrong.push(`${folder || 'package.json'}: its optional ${name} is not in the lock file`)
  }
  if (description.resolved) wrong.push(`${folder}: the lock file names where it was downloaded from`)
}
const dexies = Object.keys(packages).filter((folder) => /(^|\/)node_modules\/dexie$/.test(folder))
if (dexies.length !== 1) wrong.push(`there must be exactly one Dexie, found: ${dexies.join(', ') || 'none'}`)
// The override keeps one Dexie of whatever version; it has to be RxDB's.
const wanted = packages['node_modules/rxdb']?.dependencies?.dexie
const locked = packages['node_modules/dexie']?.version
if (wanted !== locked) wrong.push(`Dexie is ${locked}, and RxDB was made with ${wanted}`)

for (const line of wrong) console.error(line)
console.log(`lock file: ${optional} optional packages, ${wrong.length} wrong`)
process.exit(wrong.length === 0 ? 0 : 1)
