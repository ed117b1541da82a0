import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { endpoints } from '#shared/contract/endpoints.ts'
import { conformanceTable, rowsOf } from './conformance-table.ts'
import type { Proof, Tested } from './proofs.ts'
import { seenScreens } from './seen-screens.ts'
import { specification } from './specification.ts'

const rows = rowsOf(conformanceTable)
const sections = Object.entries(specification).map(([name, part]) => ({
  name,
  texts: 'texts' in part ? (part.texts as readonly string[]) : [],
  facts: 'facts' in part ? (part.facts as readonly string[]) : [],
}))
const screenNames = new Set(Object.values(seenScreens).flatMap((screens) => Object.keys(screens)))
const read = (file: string) => readFileSync(file, 'utf8')
/** A quote mark is written in three ways. */
const plain = (text: string) => text.replaceAll("\\'", "'").replaceAll('’', "'")
const isTested = (proof: Proof): proof is Tested => 'by' in proof

/** A text with `{…}` places, as a pattern that a text with values put in matches. */
function patternOf(text: string): RegExp {
  const parts = text.split(/\{[^}]*\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(parts.join('.+?'))
}

describe('the table of the specification', () => {
  it('has a proof for every item, and no row without an item', () => {
    const items = sections.flatMap(({ name, texts, facts }) => [...texts, ...facts].map((item) => `${name}: ${item}`))
    expect(new Set(items).size, 'every item stands once').toBe(items.length)
    expect(rows.map(({ section, item }) => `${section}: ${item}`).toSorted()).toEqual(items.toSorted())
    expect(rows.filter(({ proofs }) => proofs.length === 0)).toEqual([])
  })

  it('names screens that are looked at', () => {
    const named = rows.flatMap(({ proofs }) => proofs.flatMap((proof) => ('on' in proof ? [proof.on] : [])))
    expect(named.filter((name) => !screenNames.has(name))).toEqual([])
  })

  it.each(sections)('$name: every test it names is there, and holds what it is named for', ({ name, texts }) => {
    const wrong: string[] = []
    for (const { item, proofs } of rows.filter(({ section }) => section === name)) {
      for (const { by, test, mentions, rows: rowsFile } of proofs.filter(isTested)) {
        const own = existsSync(by) ? plain(read(by)) : null
        const isImported = rowsFile !== undefined && own?.includes(path.basename(rowsFile))
        const source = own !== null && isImported ? own + plain(read(rowsFile)) : own
        if (!/\.(test|spec)\.tsx?$/.test(by)) wrong.push(`${item}: ${by} is no test`)
        else if (source === null) wrong.push(`${item}: there is no ${by}`)
        else if (!source.includes(plain(test))) wrong.push(`${item}: ${by} has no test "${test}"`)
        else if (mentions !== undefined && !source.includes(plain(mentions)))
          wrong.push(`${item}: ${by} does not mention ${mentions}`)
        else if (mentions === undefined && texts.includes(item) && !patternOf(item).test(source))
          wrong.push(`${item}: ${by} does not hold this text`)
        else if (mentions === undefined && !texts.includes(item)) wrong.push(`${item}: what does ${by} show of it?`)
      }
    }
    expect(wrong).toEqual([])
  })

  it('shows a text on a screen with nothing but values put in', () => {
    const wrong = rows.flatMap(({ section, item, proofs }) =>
      proofs.flatMap((proof) =>
        'on' in proof &&
        proof.as !== undefined &&
        sections.find(({ name }) => name === section)?.texts.includes(item) &&
        !patternOf(item).test(proof.as)
          ? [`${item} is not ${proof.as}`]
          : [],
      ),
    )
    expect(wrong).toEqual([])
  })
})

describe('what the specification lists', () => {
  const router = read('pwa/app/router.tsx')

  it.each(specification.routes.facts.filter((route) => route.startsWith('/') && !route.includes(' ')))(
    '%s is an address of the app',
    (route) => {
      const path = route.slice(1).replace(/\{\w+\}/g, ':x')
      const paths = [...router.matchAll(/<Route path="([^"]+)"/g)].map(([, found = '']) => found.replace(/:\w+/g, ':x'))
      expect(route === '/' ? router.includes('<Route index') : paths.includes(path)).toBe(true)
    },
  )

  it.each(specification.calls.facts)('%s is a call of the contract, and in the matrix of who may do what', (call) => {
    const name = Object.entries(endpoints).find(([, endpoint]) => endpoint === call)?.[0]
    expect(name).toBeDefined()
    expect(read('sync-server/testing/access/access-matrix.ts')).toMatch(new RegExp(`^ {2}${name}:`, 'm'))
  })
})
