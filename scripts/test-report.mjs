// What `npm test` tells of its runners' JSON reports. A report is undefined where its runner wrote none.
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'

// These were measured on two idle cores. A journey of 20 s alone takes 30 s there, because three run at once.
const unitFiles = { longestMs: 2000, usualMedianMs: 4 }
const journeys = { longestMs: 30_000, usualMedianMs: 7000 }
/** Of a journey in WebKit, which has no headless mode and draws without a graphics card: so many times longer. */
const webkitFactor = 2
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

/** @returns one text for each failed test or unrun file */
export function failedInVitest(report, root) {
  return vitestFiles(report, root).flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed')
    if (status === 'failed' && failed.length === 0) return [entry(`${name} could not be run`, message)]
    return failed.map(({ fullName, failureMessages }) => entry(`${name} › ${fullName}`, failureMessages[0]))
  })
}

/** @returns one text for each failed, flaky or skipped journey or unrun file */
export function failedInPlaywright(report) {
  const failed = journeysOf(report).flatMap(({ name, titles, tests }) =>
    tests
      .filter(({ status }) => status !== 'expected')
      .map(({ status, results }) =>
        entry(`${[name, ...titles].join(' › ')} (${status})`, results.find(({ error }) => error)?.error.message),
      ),
  )
  return [...(report?.errors ?? []).map(({ message }) => entry('outside every journey', message)), ...failed]
}

export function dearestFiles(vitest, e2e, root) {
  const perFile = new Map(vitestFiles(vitest, root).map(({ name, ms }) => [name, ms]))
  for (const { file, ms } of journeysOf(e2e)) perFile.set(`pwa/e2e/${file}`, (perFile.get(`pwa/e2e/${file}`) ?? 0) + ms)
  return [...perFile]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, 10)
    .map(([name, ms]) => `   ${(ms / 1000).toFixed(1).padStart(6)} s  ${name}`)
}

/**
 * On a crowded machine, which the median reveals, the limits are as many times longer.
 * @param again a report of unit files that were run a second time; the shorter time of both counts
 * @returns the file or journey of each that took longer, and a line about it
 */
export function tooDear(vitest, e2e, root, again) {
  const second = new Map(vitestFiles(again, root).map(({ name, ms }) => [name, ms]))
  const units = vitestFiles(vitest, root)
    .filter(({ name }) => !/\.(?:pg|proof|sim)\.test\.tsx?$/.test(name))
    .map(({ name, ms }) => ({ name, ms: Math.min(ms, second.get(name) ?? ms) }))
  return [...over(units, unitFiles), ...over(journeysOf(e2e), journeys)]
}

function over(list, { longestMs, usualMedianMs }) {
  const median = list.map(({ ms }) => ms).toSorted((one, other) => one - other)[list.length >> 1] ?? 0
  const limitMs = Math.round(longestMs * Math.max(1, median / usualMedianMs))
  return list
    .map((one) => ({ ...one, allowedMs: limitMs * (/\bwebkit\b/.test(one.name) ? webkitFactor : 1) }))
    .filter(({ ms, allowedMs }) => ms > allowedMs)
    .map(({ name, ms, allowedMs }) => ({
      name,
      line: `${name} took ${(ms / 1000).toFixed(1)} s, ${(allowedMs / 1000).toFixed(1)} s are allowed`,
    }))
}
