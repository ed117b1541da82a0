import { expect, it } from 'vitest'
import { tooDear } from './test-report.mjs'

const run = (usualMs: number, name: string, ms: number) => ({
  testResults: [...Array.from({ length: 9 }, (_, n) => [`${n}.test.ts`, usualMs] as const), [name, ms] as const].map(
    ([file, took]) => ({ name: `/project/${file}`, startTime: 1000, endTime: 1000 + took }),
  ),
})

it('refuses a unit file of over 2 s, or as many times more as the median is over the usual', () => {
  expect(tooDear(run(3, 'dear.test.ts', 2500), undefined, '/project')).toEqual([
    'dear.test.ts took 2.5 s, 2.0 s are allowed',
  ])
  expect(tooDear(run(8, 'dear.test.ts', 2500), undefined, '/project')).toEqual([])
  expect(tooDear(run(3, 'dear.pg.test.ts', 9000), undefined, '/project')).toEqual([])
})
