import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'

const mostLines = 8

function briefly(message = '') {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => line.trim() !== '')
  return lines.slice(0, mostLines).map((line) => `     ${line}`)
}

const entry = (name, message) => [`   ✗ ${name}`, ...briefly(message)].join('\n')

/**
 * @param report Vitest's JSON report; undefined without one
 * @param root the folder that files are named from
 * @returns one text for each failed test or unrun file
 */
export function failedInVitest(report, root) {
  return (report?.testResults ?? []).flatMap(({ name, status, message, assertionResults }) => {
    const file = path.relative(root, name)
    const failed = assertionResults.filter((test) => test.status === 'failed')
    if (status === 'failed' && failed.length === 0) return [entry(`${file} could not be run`, message)]
    return failed.map(({ fullName, failureMessages }) => entry(`${file} › ${fullName}`, failureMessages[0]))
  })
}

/**
 * @param report Playwright's JSON report; undefined without one
 * @returns one text for each failed, flaky or skipped journey or unrun file
 */
export function failedInPlaywright(report) {
  const walk = (suite, above) => {
    const names = suite.title === suite.file ? above : [...above, suite.title]
    const own = (suite.specs ?? []).flatMap(({ file, line, title, tests }) =>
      tests
        .filter(({ status }) => status !== 'expected')
        .map(({ status, results }) =>
          entry(
            [`${file}:${line}`, ...names, `${title} (${status})`].join(' › '),
            results.find(({ error }) => error)?.error.message,
          ),
        ),
    )
    return [...own, ...(suite.suites ?? []).flatMap((inner) => walk(inner, names))]
  }
  const errors = (report?.errors ?? []).map(({ message }) => entry('outside every journey', message))
  return [...errors, ...(report?.suites ?? []).flatMap((suite) => walk(suite, []))]
}
