// `npm test` on a machine that has nothing but Node and npm: installs what is missing (a browser too), builds,
// checks, and runs every test. The last line sums all runners: "N passed, N failed".
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')
process.chdir(root)
const results = path.join(root, 'test-results')
const sum = { passed: 0, failed: 0 }
/** A text for each thing that failed, repeated at the end. */
const failures = []

function say(text) {
  process.stdout.write(`\n── ${text}\n`)
}

/** Runs one of Node's programs with its output on the screen. @returns whether it ended well. */
function node(args, env = {}) {
  const startedAt = Date.now()
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit', env: { ...process.env, ...env } })
  process.stdout.write(`   ${((Date.now() - startedAt) / 1000).toFixed(1)} s\n`)
  return status === 0
}

function fail(text) {
  sum.failed++
  failures.push(`   ✗ ${text}`)
}

function finish() {
  if (failures.length > 0) say(`What failed\n${failures.join('\n')}`)
  process.stdout.write(`\n${sum.passed} passed, ${sum.failed} failed\n`)
  process.exit(sum.failed === 0 ? 0 : 1)
}

function readJson(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}

say('Preparing: packages, build')
if (!node(['sync-server/scripts/start.mjs', '--prepare'])) {
  fail('the packages or the build')
  finish()
}

// From here on packages are installed.
const { journeyBrowsers, journeyCommand } = await import('./journeys.mjs')
const { checks } = await import('./checks/checks.mjs')
const { failedInPlaywright, failedInVitest } = await import('./failed-tests.mjs')

for (const check of checks) {
  say(`Check: ${check.name}`)
  if (node(check.args)) sum.passed++
  else fail(`check: ${check.name}`)
}

say('Tests: rules, server on a real PostgreSQL, simulation')
rmSync(results, { recursive: true, force: true })
const vitestFile = path.join(results, 'vitest.json')
const vitestOk = node([
  'node_modules/vitest/vitest.mjs',
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${vitestFile}`,
])
const vitest = readJson(vitestFile)
sum.passed += vitest?.numPassedTests ?? 0
sum.failed += vitest?.numFailedTests ?? 0
failures.push(...failedInVitest(vitest, root))
// A file that cannot even be read, an unhandled error or no test at all is a failure that no test counted.
if (!vitest || vitest.numPassedTests === 0 || (!vitestOk && vitest.numFailedTests === 0))
  fail('the tests of rules and server, outside every test: see their own summary above')

say('Tests: journeys in a browser')
try {
  const journeysOk = node(journeyCommand(), await journeyBrowsers())
  const journeys = readJson(path.join(results, 'e2e.json'))
  sum.passed += journeys?.stats.expected ?? 0
  sum.failed += (journeys?.stats.unexpected ?? 0) + (journeys?.stats.flaky ?? 0) + (journeys?.stats.skipped ?? 0)
  failures.push(...failedInPlaywright(journeys))
  if (!journeys || journeys.stats.expected === 0 || (!journeysOk && journeys.stats.unexpected === 0))
    fail('the journeys, outside every journey: see above')
} catch (error) {
  fail(`the journeys could not begin: ${error.message}`)
}

finish()
