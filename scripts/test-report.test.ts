import { expect, it } from 'vitest'
import { verdictOfPlaywright, verdictOfVitest } from './test-report.mjs'

const root = '/project'

interface Assertion {
  readonly fullName: string
  readonly status: string
  readonly failureMessages: readonly string[]
}
const passing = (fullName: string): Assertion => ({ fullName, status: 'passed', failureMessages: [] })
const failing = (fullName: string, error: string): Assertion => ({
  fullName,
  status: 'failed',
  failureMessages: [error],
})

const vitest = (files: Record<string, readonly Assertion[]>, failedAsWhole: readonly string[] = []) => ({
  testResults: Object.entries(files).map(([file, assertionResults]) => ({
    name: `${root}/${file}`,
    startTime: 1000,
    endTime: 2000,
    status:
      failedAsWhole.includes(file) || assertionResults.some(({ status }) => status === 'failed') ? 'failed' : 'passed',
    message: failedAsWhole.includes(file) ? 'a hook threw' : '',
    assertionResults,
  })),
})

const playwright = (statuses: Record<string, string>) => ({
  suites: [
    {
      file: 'queue/update.spec.ts',
      title: 'queue/update.spec.ts',
      specs: Object.entries(statuses).map(([title, status]) => ({
        file: 'queue/update.spec.ts',
        line: 5,
        title,
        tests: [
          {
            status,
            projectName: '',
            results: [{ duration: 10, ...(status === 'unexpected' && { error: { message: `${title} broke` } }) }],
          },
        ],
      })),
    },
  ],
})

it('a test that passes only alone counts as passed, and is listed with its first error', () => {
  const first = vitest({ 'a.test.ts': [passing('one'), failing('two', 'too slow')], 'b.test.ts': [passing('three')] })
  const again = vitest({ 'a.test.ts': [passing('one'), passing('two')] })
  expect(verdictOfVitest(first, again, root)).toEqual({
    passed: 3,
    failed: [],
    passedOnlyAlone: ['   ✗ a.test.ts › two\n     too slow'],
  })
})

it('a test that fails in both runs has failed, and so has one that was not run again', () => {
  const first = vitest({ 'a.test.ts': [failing('one', 'wrong'), failing('two', 'wrong, too')] })
  const again = vitest({ 'a.test.ts': [failing('one', 'wrong again')] })
  const failed = ['   ✗ a.test.ts › one\n     wrong', '   ✗ a.test.ts › two\n     wrong, too']
  for (const second of [again, undefined])
    expect(verdictOfVitest(first, second, root)).toEqual({ passed: 0, failed, passedOnlyAlone: [] })
})

it('a file that fails as a whole is one failure, and its tests count once it passes alone', () => {
  const first = vitest({ 'a.test.ts': [] }, ['a.test.ts'])
  expect(verdictOfVitest(first, undefined, root)).toMatchObject({
    passed: 0,
    failed: [expect.stringContaining('a hook')],
  })
  expect(verdictOfVitest(first, vitest({ 'a.test.ts': [] }, ['a.test.ts']), root).failed).toHaveLength(1)
  const again = vitest({ 'a.test.ts': [passing('one'), passing('two')] })
  expect(verdictOfVitest(first, again, root)).toMatchObject({
    passed: 2,
    failed: [],
    passedOnlyAlone: [expect.anything()],
  })
})

it('a test that several projects run has passed alone when it did in all of them', () => {
  const file = 'a.test.ts'
  const both = (...assertions: Assertion[]) => ({
    testResults: assertions.flatMap((one) => vitest({ [file]: [one] }).testResults),
  })
  const first = both(passing('one'), failing('one', 'another day'))
  expect(verdictOfVitest(first, both(passing('one'), passing('one')), root)).toMatchObject({ passed: 2, failed: [] })
  expect(verdictOfVitest(first, both(passing('one'), failing('one', 'still')), root)).toMatchObject({
    passed: 1,
    failed: [expect.stringContaining('another day')],
  })
})

it('a journey is judged in the same way, and a skipped one has not passed', () => {
  const first = playwright({ signs: 'expected', syncs: 'unexpected', hides: 'skipped' })
  expect(verdictOfPlaywright(first, playwright({ syncs: 'expected', hides: 'skipped' }))).toEqual({
    passed: 2,
    failed: ['   ✗ queue/update.spec.ts:5 › hides\n     skipped'],
    passedOnlyAlone: ['   ✗ queue/update.spec.ts:5 › syncs\n     syncs broke'],
  })
})

it('an error outside every journey is a failure', () => {
  const report = { ...playwright({ signs: 'expected' }), errors: [{ message: 'no database' }] }
  expect(verdictOfPlaywright(report, undefined).failed).toEqual(['   ✗ outside every journey\n     no database'])
})
