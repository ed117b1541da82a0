import path from 'node:path'

// As measured on two idle cores. A journey of 20 s alone takes 30 s there, because three run at once.
const unitFiles = { longestMs: 2000, usualMedianMs: 4 }
const journeys = { longestMs: 30_000, usualMedianMs: 7000 }

/**
 * @param vitest Vitest's JSON report, undefined without one
 * @param root the folder that files are named from
 * @returns each test file with its milliseconds
 */
function vitestFiles(vitest, root) {
  return (vitest?.testResults ?? []).map(({ name, startTime, endTime }) => ({
    name: path.relative(root, name).replaceAll(path.sep, '/'),
    ms: endTime - startTime,
  }))
}

/** @param report Playwright's JSON report. @returns each journey with file, title and milliseconds */
function journeysOf(report) {
  const walk = (suite) => [
    ...(suite.specs ?? []).map(({ file, line, tests }) => ({
      name: `${file}:${line}`,
      file,
      ms: tests.flatMap(({ results }) => results).reduce((sum, { duration }) => sum + duration, 0),
    })),
    ...(suite.suites ?? []).flatMap(walk),
  ]
  return (report?.suites ?? []).flatMap(walk)
}

export function dearestFiles(vitest, journeys, root) {
  const perFile = new Map(vitestFiles(vitest, root).map(({ name, ms }) => [name, ms]))
  for (const { file, ms } of journeysOf(journeys))
    perFile.set(`pwa/e2e/${file}`, (perFile.get(`pwa/e2e/${file}`) ?? 0) + ms)
  return [...perFile]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, 10)
    .map(([name, ms]) => `   ${(ms / 1000).toFixed(1).padStart(6)} s  ${name}`)
}

/**
 * On a crowded machine, which the median reveals, the limits are as many times longer.
 * @returns a line for each that took longer
 */
export function tooDear(vitest, e2e, root) {
  const units = vitestFiles(vitest, root).filter(({ name }) => !/\.(?:pg|proof|sim)\.test\.tsx?$/.test(name))
  return [...over(units, unitFiles), ...over(journeysOf(e2e), journeys)]
}

function over(list, { longestMs, usualMedianMs }) {
  const median = list.map(({ ms }) => ms).toSorted((one, other) => one - other)[list.length >> 1] ?? 0
  const limitMs = Math.round(longestMs * Math.max(1, median / usualMedianMs))
  return list
    .filter(({ ms }) => ms > limitMs)
    .map(({ name, ms }) => `${name} took ${(ms / 1000).toFixed(1)} s, ${(limitMs / 1000).toFixed(1)} s are allowed`)
}
