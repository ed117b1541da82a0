import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { failedInPlaywright, failedInVitest } from './failed-tests.mjs'

const project = path.resolve(import.meta.dirname, '../..')

// Below the project, whose packages the runners are among.
let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(project, 'node_modules/.failed-tests-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function run(args: readonly string[], env: Record<string, string> = {}): unknown {
  const report = path.join(folder, 'report.json')
  const { PATH = '', HOME = '' } = process.env
  spawnSync(process.execPath, args, { cwd: folder, env: { PATH, HOME, ...env } })
  return JSON.parse(readFileSync(report, 'utf8'))
}
const write = (name: string, text: string) => writeFileSync(path.join(folder, name), text)

it('tells which of Vitest’s tests failed and why, and which file could not be run', () => {
  write(
    'sums.test.mjs',
    `import { describe, expect, it } from 'vitest'
     describe('a sum', () => {
       it('is right', () => expect(1 + 1).toBe(2))
       it('is wrong', () => expect(1 + 1).toBe(3))
     })`,
  )
  write('broken.test.mjs', `throw new Error('no such thing')`)
  write('vitest.config.mjs', `export default { test: { include: ['*.test.mjs'], exclude: [] } }`)
  const vitest = path.join(project, 'node_modules/vitest/vitest.mjs')
  const report = run([vitest, 'run', '--root', folder, '--reporter=json', '--outputFile=report.json'])
  const failed = failedInVitest(report, folder).toSorted()
  expect(failed).toHaveLength(2)
  expect(failed[0]).toMatch(/^ {3}✗ broken\.test\.mjs could not be run\n {5}.*no such thing/)
  expect(failed[1]).toMatch(/^ {3}✗ sums\.test\.mjs › a sum is wrong\n {5}AssertionError: expected 2 to be 3/)
}, 60_000)

it('tells which journeys failed or were left out, and why', () => {
  write(
    'walk.spec.mjs',
    `import { test, expect } from 'playwright/test'
     test.describe('a walk', () => {
       test('arrives', () => expect(1).toBe(1))
       test('is lost', () => expect('here').toBe('there'))
       test.skip('is put off', () => undefined)
     })`,
  )
  write('playwright.config.mjs', `export default { reporter: [['json', { outputFile: 'report.json' }]] }`)
  const report = run([path.join(project, 'node_modules/playwright/cli.js'), 'test', '--config', folder])
  const failed = failedInPlaywright(report)
  expect(failed).toHaveLength(2)
  expect(failed[0]).toMatch(/^ {3}✗ walk\.spec\.mjs:4 › a walk › is lost \(unexpected\)\n {5}Error: expect\(/)
  expect(failed[0]).toContain('Expected: "there"')
  expect(failed[1]).toMatch(/walk\.spec\.mjs:5 › a walk › is put off \(skipped\)$/)
}, 60_000)

it('has nothing to tell of a runner that wrote no report', () => {
  expect([failedInVitest(undefined, folder), failedInPlaywright(undefined)]).toEqual([[], []])
})
