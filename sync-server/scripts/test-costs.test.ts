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

it('refuses a unit file of over 2 s and a journey of over 20 s, or as many times more as the machine is crowded', () => {
  const tooLong = ['a.test.ts took 2.5 s, 2 s are allowed', 'x.spec.ts:3 took 21.0 s, 20 s are allowed']
  expect(tooDear(vitest, journeys, '/project', 0.5)).toEqual(tooLong)
  expect(tooDear(vitest, journeys, '/project', 1.5)).toEqual([])
})
