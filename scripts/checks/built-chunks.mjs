/**
 * The files that a module of the build loads with it: its own chunk and its static imports, transitively.
 * @param {Record<string, { file: string, imports?: string[], dynamicImports?: string[] }>} manifest Vite's
 * @param {string} name
 */
export function filesOf(manifest, name, seen = new Set()) {
  const chunk = manifest[name]
  if (!chunk) throw new Error(`${name} is not in the build`)
  if (seen.has(chunk.file)) return seen
  seen.add(chunk.file)
  for (const imported of chunk.imports ?? []) filesOf(manifest, imported, seen)
  return seen
}

/**
 * A screen that the worker keeps opens without a network only if everything it imports is kept too.
 * @param {Parameters<typeof filesOf>[0]} manifest
 * @param {ReadonlySet<string>} kept the files in the worker's precache list
 * @returns {string[]} what is wrong
 */
export function findUnkeptImports(manifest, kept) {
  return Object.entries(manifest)
    .filter(([, { file }]) => kept.has(file))
    .flatMap(([name, { file }]) =>
      [...filesOf(manifest, name)]
        .filter((imported) => !kept.has(imported))
        .map((imported) => `${file} is kept, and imports ${imported}, which is not`),
    )
}

/** RxDB's function for the address of an error has this text, and minifying keeps it. No source of ours has it. */
export const rxdbText = 'rxdb.info/errors'

/**
 * RxDB has to be in what an organizer's page loads once the replica is opened, and in nothing that a visitor loads.
 * @param {Parameters<typeof filesOf>[0]} manifest
 * @param {ReadonlyMap<string, string>} texts of the build's scripts, by file
 * @param {{ visitors: readonly string[], replica: string }} modules the visitors' pages, and the replica's module
 * @returns {string[]} what is wrong
 */
export function findMisplacedRxdb(manifest, texts, { visitors, replica }) {
  const hasRxdb = (file) => texts.get(file)?.includes(rxdbText) ?? false
  const filesOfAll = (names) => new Set(names.flatMap((name) => [...filesOf(manifest, name)]))
  const wrong = [...filesOfAll(visitors)].filter(hasRxdb).map((file) => `visitors download RxDB: ${file}`)
  const isOpenedLate = Object.values(manifest).some(({ dynamicImports = [] }) => dynamicImports.includes(replica))
  if (!isOpenedLate) wrong.push(`no page imports ${replica} dynamically`)
  const opened = filesOfAll([replica, ...(manifest[replica]?.dynamicImports ?? [])])
  if (![...opened].some(hasRxdb)) wrong.push('an organizer’s page does not load RxDB')
  return wrong
}

/** Content blockers refuse addresses with these words. */
export const blockedWords = /analytics|tracking|stats|pixel|\/beacon\//i

/** @param {readonly string[]} files */
export const findBlockedNames = (files) =>
  files.filter((file) => blockedWords.test(file)).map((file) => `content blockers refuse ${file}`)
