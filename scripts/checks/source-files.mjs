import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

const boxes = ['shared', 'pwa', 'sync-server', 'scripts']

export const isTest = (file) => /\.(test|spec)\.tsx?$|\/testing\/|\/e2e\/|\/bench\//.test(file)

export const isUnder = (file, folder) => file === folder || file.startsWith(`${folder}/`)

/** Paths start at the project's root and have forward slashes. */
export function allFiles() {
  return boxes.flatMap((box) =>
    readdirSync(box, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name).replaceAll('\\', '/')),
  )
}

/** Lists each import's specifier, and its target where that is one of our files; types are included. */
export function importsOf(file) {
  const found = readFileSync(file, 'utf8').matchAll(
    /^(?:import|export)\b[^;'"`]*?\bfrom\s*'([^']+)'|^import\s*'([^']+)'|\bimport\(\s*'([^']+)'/gm,
  )
  return [...found].map(([, named, bare, lazy]) => {
    const specifier = named ?? bare ?? lazy
    const target = resolve(file, specifier)
    return { specifier, target, isFile: target !== specifier }
  })
}

/** Returns the folder below the file's box, or the box itself. */
function roomOf(file) {
  const parts = file.split('/')
  return parts.length > 2 ? parts.slice(0, 2).join('/') : parts[0]
}

/**
 * Includes types and leaves tests out.
 * @returns {Map<string, Set<string>>}
 */
export function importsBetweenRooms() {
  const rooms = new Map()
  for (const file of allFiles()) {
    if (!/\.(ts|tsx|mjs)$/.test(file) || isTest(file)) continue
    const room = roomOf(file)
    const into = rooms.get(room) ?? new Set()
    rooms.set(room, into)
    for (const { target, isFile } of importsOf(file)) {
      if (isFile && boxes.includes(target.split('/')[0]) && roomOf(target) !== room) into.add(roomOf(target))
    }
  }
  return rooms
}

/**
 * Includes types and tests.
 * @returns {Map<string, string[]>}
 */
export function importsBetweenFiles() {
  const files = allFiles().filter((file) => /\.(ts|tsx|mjs)$/.test(file))
  return new Map(
    files.map((file) => [
      file,
      importsOf(file)
        .filter(({ isFile }) => isFile)
        .map(({ target }) => target),
    ]),
  )
}

function resolve(file, specifier) {
  if (specifier.startsWith('#shared/')) return specifier.slice(1)
  if (specifier.startsWith('.')) return path.posix.normalize(path.posix.join(path.posix.dirname(file), specifier))
  return specifier
}

/**
 * Finds strongly connected components of more than one node (Tarjan 1972).
 * @param {Map<string, Iterable<string>>} graph what each one leads to
 * @returns {string[][]} each group sorted, the largest first
 */
export function circles(graph) {
  const found = []
  const indexes = new Map()
  const lowest = new Map()
  const path = []
  const visit = (node) => {
    indexes.set(node, indexes.size)
    lowest.set(node, indexes.get(node))
    path.push(node)
    for (const next of graph.get(node) ?? []) {
      if (!indexes.has(next)) visit(next)
      if (path.includes(next)) lowest.set(node, Math.min(lowest.get(node), lowest.get(next)))
    }
    if (lowest.get(node) !== indexes.get(node)) return
    const group = path.splice(path.indexOf(node))
    if (group.length > 1) found.push(group.sort((one, other) => (one < other ? -1 : 1)))
  }
  for (const node of graph.keys()) if (!indexes.has(node)) visit(node)
  return found.sort((one, other) => other.length - one.length)
}
