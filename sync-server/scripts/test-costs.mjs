// What a run of the tests cost, read from the reports of its two runners.
import os from 'node:os'
import path from 'node:path'

const longestUnitFileMs = 2000
const longestJourneyMs = 20_000

/**
 * @param vitest what Vitest's JSON reporter wrote, undefined when it wrote nothing
 * @param root the folder that files are named from
 * @returns each test file with the milliseconds of its tests
 */
function vitestFiles(vitest, root) {
  return (vitest?.testResults ?? []).map(({ name, startTime, endTime }) => ({
    name: path.relative(root, name).replaceAll(path.sep, '/'),
    ms: endTime - startTime,
  }))
}

/** @param report what Playwright's JSON reporter wrote. @returns each journey with its file, title and milliseconds */
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

/** @returns a line for each of the ten files that took longest, of both runners */
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
 * A unit file may take 2 s and a journey 20 s. Where more runs than there are cores, as the load average tells, both may
 * take as many times longer.
 * @returns a line for each that took longer
 */
export function tooDear(vitest, journeys, root, loadPerCore = os.loadavg()[0] / os.availableParallelism()) {
  const crowded = Math.max(1, loadPerCore)
  const units = vitestFiles(vitest, root).filter(({ name }) => !/\.(?:pg|proof|sim)\.test\.tsx?$/.test(name))
  const over = (list, limitMs) =>
    list
      .filter(({ ms }) => ms > limitMs * crowded)
      .map(({ name, ms }) => `${name} took ${(ms / 1000).toFixed(1)} s, ${limitMs / 1000} s are allowed`)
  return [...over(units, longestUnitFileMs), ...over(journeysOf(journeys), longestJourneyMs)]
}
