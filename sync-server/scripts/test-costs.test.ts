import { expect, it } from 'vitest'
import { dearestFiles, tooDear } from './test-costs.mjs'

const file = (name: string, ms: number) => ({ name: `/project/${name}`, startTime: 1000, endTime: 1000 + ms })
const vitest = { testResults: [file('a.test.ts', 2500), file('b.pg.test.ts', 9000), file('c.test.ts', 1000)] }
const journey = (line: number, ms: number) => ({ file: 'x.spec.ts', line, tests: [{ results: [{ duration: ms }] }] })
const journeys = { suites: [{ specs: [journey(3, 21_000)], suites: [{ specs: [journey(9, 19_000)] }] }] }

it('names the dearest files of both runners, the dearest first', () => {
  expect(dearestFiles(vitest, journeys, '/project')).toEqual([
    '     40.0 s  pwa/e2e/x.spec.ts',
    '      9.0 s  b.pg.test.ts',
    '      2.5 s  a.test.ts',
    '      1.0 s  c.test.ts',
  ])
})

it('refuses a unit file of over 2 s and a journey of over 30 s, or as many times more as the median is over the usual', () => {
  const some = (count: number, ms: number) => Array.from({ length: count }, (_, index) => file(`${index}.test.ts`, ms))
  const unitRun = (usualMs: number) => ({ testResults: [...some(9, usualMs), file('dear.test.ts', 2500)] })
  expect(tooDear(unitRun(3), undefined, '/project')).toEqual(['dear.test.ts took 2.5 s, 2.0 s are allowed'])
  expect(tooDear(unitRun(8), undefined, '/project')).toEqual([])
  const walks = (usualMs: number) => ({
    suites: [{ specs: [journey(1, usualMs), journey(2, usualMs), journey(3, 31_000)] }],
  })
  expect(tooDear(undefined, walks(4000), '/project')).toEqual(['x.spec.ts:3 took 31.0 s, 30.0 s are allowed'])
  expect(tooDear(undefined, walks(9000), '/project')).toEqual([])
})
