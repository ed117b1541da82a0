import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

it('the changelog names no version that was not released on a day', () => {
  const text = readFileSync(new URL('../../CHANGELOG.md', import.meta.url), 'utf8')
  const [first, ...released] = text.split('\n').filter((line) => line.startsWith('## '))
  expect(first).toBe('## [Unreleased]')
  for (const heading of released) expect(heading).toMatch(/^## \[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d$/)
})
