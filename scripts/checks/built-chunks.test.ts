import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { findBlockedNames, findMisplacedRxdb, findUnkeptImports, rxdbText } from './built-chunks.mjs'

const replica = 'replica.ts'
const modules = { visitors: ['index.html', 'landing.tsx'], replica }
const manifest = {
  'index.html': { file: 'index.js', imports: ['_kit.js'] },
  'landing.tsx': { file: 'landing.js', imports: ['_kit.js'] },
  '_kit.js': { file: 'kit.js', dynamicImports: [replica] },
  [replica]: { file: 'replica.js', imports: ['_kit.js'], dynamicImports: ['memory.ts'] },
  'memory.ts': { file: 'memory.js', imports: ['_rxdb.js'] },
  '_rxdb.js': { file: 'rxdb.js' },
}
const withRxdb = `const of=e=>\`https://${rxdbText}.html#\`+e`
const texts = new Map([
  ['index.js', 'start()'],
  ['kit.js', 'const database="beaconry-rxdb-dexie"'],
  ['rxdb.js', withRxdb],
])

it('names a chunk that is kept for a start without a network and imports one that is not', () => {
  expect(findUnkeptImports(manifest, new Set(['landing.js', 'kit.js', 'rxdb.js']))).toEqual([])
  expect(findUnkeptImports(manifest, new Set(['memory.js']))).toEqual([
    'memory.js is kept, and imports rxdb.js, which is not',
  ])
})

it('names a file that content blockers refuse to load', () => {
  expect(findBlockedNames(['assets/kit.js', 'assets/analytics-screen.js'])).toEqual([
    'content blockers refuse assets/analytics-screen.js',
  ])
})

describe('RxDB in the build', () => {
  it('is where it belongs when only the opened replica loads it', () => {
    expect(findMisplacedRxdb(manifest, texts, modules)).toEqual([])
  })

  it('is found in whatever chunk of a visitor it was bundled into', () => {
    const inKit = new Map([...texts, ['kit.js', withRxdb]])
    expect(findMisplacedRxdb(manifest, inKit, modules)).toEqual(['visitors download RxDB: kit.js'])
  })

  it('is found where a chunk of a visitor imports its own', () => {
    const imported = { ...manifest, '_kit.js': { ...manifest['_kit.js'], imports: ['_rxdb.js'] } }
    expect(findMisplacedRxdb(imported, texts, modules)).toEqual(['visitors download RxDB: rxdb.js'])
  })

  it('is missed when the opened replica loads none', () => {
    const without = { ...manifest, 'memory.ts': { file: 'memory.js' } }
    expect(findMisplacedRxdb(without, texts, modules)).toEqual(['an organizer’s page does not load RxDB'])
  })

  it('is missed when no page opens the replica', () => {
    const unopened = { ...manifest, '_kit.js': { file: 'kit.js' } }
    expect(findMisplacedRxdb(unopened, texts, modules)).toEqual(['no page imports replica.ts dynamically'])
  })

  it('is known by a text of its own source', () => {
    const source = new URL('../../node_modules/rxdb/dist/esm/rx-error.js', import.meta.url)
    expect(readFileSync(source, 'utf8')).toContain(rxdbText)
  })
})
