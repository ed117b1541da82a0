import type { JSONReportSpec, JSONReportTest } from 'playwright/types/testReporter'
import { expect, it } from 'vitest'
import type { JsonAssertionResult } from 'vitest/node'
import { failedInPlaywright, failedInVitest } from './failed-tests.mjs'

// As the two runners wrote them, without what nobody asks for; their own types say what there is.
const ended = (
  status: JsonAssertionResult['status'],
  fullName: string,
  failureMessages: string[] = [],
): Pick<JsonAssertionResult, 'status' | 'fullName' | 'failureMessages'> => ({ status, fullName, failureMessages })
const journey = (
  line: number,
  title: string,
  status: JSONReportTest['status'],
  message?: string,
): Pick<JSONReportSpec, 'file' | 'line' | 'title'> & { tests: object[] } => ({
  file: 'walk.spec.mjs',
  line,
  title,
  tests: [{ status, results: [{ status: 'passed' }, ...(message === undefined ? [] : [{ error: { message } }])] }],
})

it('tells which of Vitest’s tests failed and why, and which file could not be run', () => {
  const broken = 'no such thing\n\n\u001b[31mat once\u001b[39m'
  const why = `AssertionError: expected 2 to be 3 // Object.is equality\n${'    at a place\n'.repeat(20)}`
  const report = {
    testResults: [
      { name: '/home/us/broken.test.mjs', status: 'failed', message: broken, assertionResults: [] },
      {
        name: '/home/us/sums/sums.test.mjs',
        status: 'failed',
        message: '',
        assertionResults: [ended('passed', 'a sum is right'), ended('failed', 'a sum is wrong', [why])],
      },
    ],
  }
  expect(failedInVitest(report, '/home/us')).toEqual([
    '   ✗ broken.test.mjs could not be run\n     no such thing\n     at once',
    `   ✗ sums/sums.test.mjs › a sum is wrong\n     ${why.split('\n').slice(0, 8).join('\n     ')}`,
  ])
})

it('tells which journeys failed, were left out or did not even begin, and why', () => {
  const why = 'Error: \u001b[2mexpect(\u001b[22mreceived)\n\nExpected: "there"\nReceived: "here"'
  const walk = {
    title: 'a walk',
    file: 'walk.spec.mjs',
    specs: [
      journey(3, 'arrives', 'expected'),
      journey(4, 'is lost', 'unexpected', why),
      journey(5, 'is put off', 'skipped'),
      journey(6, 'arrives at last', 'flaky', 'Error: too late'),
    ],
  }
  const report = {
    errors: [{ message: 'Error: no such browser' }],
    suites: [{ title: 'walk.spec.mjs', file: 'walk.spec.mjs', specs: [], suites: [walk] }],
  }
  expect(failedInPlaywright(report)).toEqual([
    '   ✗ outside every journey\n     Error: no such browser',
    '   ✗ walk.spec.mjs:4 › a walk › is lost (unexpected)\n     Error: expect(received)\n     Expected: "there"\n     Received: "here"',
    '   ✗ walk.spec.mjs:5 › a walk › is put off (skipped)',
    '   ✗ walk.spec.mjs:6 › a walk › arrives at last (flaky)\n     Error: too late',
  ])
})

it('has nothing to tell of a runner that wrote no report', () => {
  expect([failedInVitest(undefined, '/home/us'), failedInPlaywright(undefined)]).toEqual([[], []])
})
