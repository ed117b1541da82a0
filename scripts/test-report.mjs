// What `npm test` tells of its runners' JSON reports. A report is undefined where its runner wrote none.
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'

/** What is over these, in milliseconds, is printed; on a busy machine that may be much. */
const dearFrom = { unitFile: 2000, journey: 30_000 }
const maxLines = 8

/** @param root the folder that files are named from */
function vitestFiles(report, root) {
  return (report?.testResults ?? []).map(({ name, startTime, endTime, ...result }) => ({
    ...result,
    name: path.relative(root, name).replaceAll(path.sep, '/'),
    ms: endTime - startTime,
  }))
}

/** @returns each journey with its file, the titles that lead to it, its tests and milliseconds */
function journeysOf(report) {
  const walk = (suite, above) => {
    const titles = suite.title === suite.file ? above : [...above, suite.title]
    const own = (suite.specs ?? []).map(({ file, line, title, tests }) => ({
      name: `${file}:${line}`,
      file,
      titles: [...titles, title],
      tests,
      ms: tests.flatMap(({ results }) => results).reduce((sum, { duration }) => sum + duration, 0),
    }))
    return [...own, ...(suite.suites ?? []).flatMap((inner) => walk(inner, titles))]
  }
  return (report?.suites ?? []).flatMap((suite) => walk(suite, []))
}

function entry(name, message = '') {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => line.trim() !== '')
  return [`   ✗ ${name}`, ...lines.slice(0, maxLines).map((line) => `     ${line}`)].join('\n')
}

/** Lists every test that ran, with a name by which a second run finds it; a file that failed as a whole is one of them. */
function testsInVitest(report, root) {
  return vitestFiles(report, root).flatMap(({ name: file, status, message, assertionResults }) => {
    const tests = assertionResults
      .filter((test) => test.status === 'passed' || test.status === 'failed')
      .map((test) => ({
        file,
        name: `${file} › ${test.fullName}`,
        hasPassed: test.status === 'passed',
        error: test.failureMessages[0],
      }))
    const failedAsWhole = status === 'failed' && tests.every(({ hasPassed }) => hasPassed)
    return failedAsWhole ? [...tests, { file, name: file, hasPassed: false, error: message }] : tests
  })
}

/** A skipped journey, too, has not passed. */
function testsInPlaywright(report) {
  return journeysOf(report).flatMap(({ file, name, titles, tests }) =>
    tests.map(({ status, projectName, results }) => ({
      file,
      name: [name, ...titles, projectName].filter(Boolean).join(' › '),
      hasPassed: status === 'expected',
      error: results.find(({ error }) => error)?.error.message ?? status,
    })),
  )
}

/** @returns the files in which something failed, each once */
export function failedFilesInVitest(report, root) {
  const failed = testsInVitest(report, root).filter(({ hasPassed }) => !hasPassed)
  return [...new Set(failed.map(({ file }) => file))]
}

/** @param again the report of a second run, of what failed alone; undefined if there was none */
export const verdictOfVitest = (report, again, root) => verdict(testsInVitest(report, root), testsInVitest(again, root))

/** @param again the report of a second run, of what failed alone; undefined if there was none */
export function verdictOfPlaywright(report, again) {
  const { passed, failed, passedOnlyAlone } = verdict(testsInPlaywright(report), testsInPlaywright(again))
  const outside = (report?.errors ?? []).map(({ message }) => entry('outside every journey', message))
  return { passed, failed: [...outside, ...failed], passedOnlyAlone }
}

/** @returns how many passed in either run, and a text with the first error for each that failed in one or both */
function verdict(first, again) {
  const namesOfFirst = new Set(first.map(({ name }) => name))
  const red = first.filter(({ hasPassed }) => !hasPassed)
  const hasPassedAgain = ({ file, name }) => {
    const same = again.filter((test) => test.file === file && (test.name === name || name === file))
    return same.length > 0 && same.every(({ hasPassed }) => hasPassed)
  }
  const asText = ({ name, error }) => entry(name, error)
  const saved = red.filter(hasPassedAgain)
  const ranOnlyAgain = again.filter(({ name, hasPassed }) => hasPassed && !namesOfFirst.has(name))
  return {
    passed: first.length - red.length + saved.filter(({ file, name }) => name !== file).length + ranOnlyAgain.length,
    failed: red.filter((test) => !hasPassedAgain(test)).map(asText),
    passedOnlyAlone: saved.map(asText),
  }
}

export function dearestFiles(vitest, e2e, root) {
  const perFile = new Map(vitestFiles(vitest, root).map(({ name, ms }) => [name, ms]))
  for (const { file, ms } of journeysOf(e2e)) perFile.set(`pwa/e2e/${file}`, (perFile.get(`pwa/e2e/${file}`) ?? 0) + ms)
  return [...perFile]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, 10)
    .map(([name, ms]) => line({ name, ms }))
}

/** @returns a line for each unit file and journey that takes longer than one should */
export function tooDear(vitest, e2e, root) {
  const units = vitestFiles(vitest, root).filter(({ name }) => !/\.(?:pg|proof|sim)\.test\.tsx?$/.test(name))
  return [
    ...units.filter(({ ms }) => ms > dearFrom.unitFile),
    ...journeysOf(e2e).filter(({ ms }) => ms > dearFrom.journey),
  ].map(line)
}

const line = ({ name, ms }) => `   ${(ms / 1000).toFixed(1).padStart(6)} s  ${name}`
