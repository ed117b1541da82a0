import { expect, it } from 'vitest'
import { tooDear as findTooDear } from './test-report.mjs'

const tooDear = (...reports: Parameters<typeof findTooDear>) => findTooDear(...reports).map(({ line }) => line)
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

it('counts the shorter time of a file that was run a second time', () => {
  const first = run(3, 'dear.test.ts', 2500)
  expect(tooDear(first, undefined, '/project', run(3, 'dear.test.ts', 1900))).toEqual([])
  expect(tooDear(first, undefined, '/project', run(3, 'dear.test.ts', 2400))).toHaveLength(1)
})

it('refuses a journey of over 30 s, and one in WebKit of over 60 s', () => {
  const journey = (file: string, duration: number) => ({
    file,
    line: 1,
    title: file,
    tests: [{ status: 'expected', results: [{ duration }] }],
  })
  const usual = Array.from({ length: 9 }, (_, n) => journey(`${n}.spec.ts`, 5_000))
  const dear = [journey('queue/dear.spec.ts', 31_000), journey('queue/webkit.spec.ts', 59_000)]
  const report = (specs: object[]) => ({ suites: [{ file: 'all', title: 'all', specs }] })
  expect(tooDear(undefined, report([...usual, ...dear]), '/project')).toEqual([
    'queue/dear.spec.ts:1 took 31.0 s, 30.0 s are allowed',
  ])
  expect(tooDear(undefined, report([...usual, journey('queue/webkit.spec.ts', 61_000)]), '/project')).toHaveLength(1)
})
