// `npm test`: installs what is missing (a browser too), builds, checks, and runs every test. `--full` (`npm run
// test:proofs`) runs proofs at full size. The last line sums all runners: "N passed, N failed".
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
process.chdir(root)
const results = path.join(root, 'test-results')
const sum = { passed: 0, failed: 0 }
const failures = []
const stages = []
const isFull = process.argv.includes('--full')
if (isFull) process.env.PROOFS = 'full'

function say(text) {
  stages.push({ text, startedAt: Date.now() })
  process.stdout.write(`\n── ${text}\n`)
}

function node(args, env = {}) {
  return spawnSync(process.execPath, args, { stdio: 'inherit', env: { ...process.env, ...env } }).status === 0
}

function fail(text) {
  sum.failed++
  failures.push(`   ✗ ${text}`)
}

function finish() {
  say('Seconds of each stage')
  for (const [index, { text, startedAt }] of stages.slice(0, -1).entries())
    process.stdout.write(`   ${((stages[index + 1].startedAt - startedAt) / 1000).toFixed(1).padStart(6)} s  ${text}\n`)
  process.stdout.write(`   ${((Date.now() - stages[0].startedAt) / 1000).toFixed(1).padStart(6)} s  all\n`)
  if (failures.length > 0) say(`What failed\n${failures.join('\n')}`)
  process.stdout.write(`\n${sum.passed} passed, ${sum.failed} failed\n`)
  process.exit(sum.failed === 0 ? 0 : 1)
}

function readJson(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}

say('Preparing: packages, build')
if (!node(['scripts/start.mjs', '--prepare'])) {
  fail('the packages or the build')
  finish()
}

const { journeyBrowsers, journeyCommand } = await import('./journeys.mjs')
const { runChecks } = await import('./checks/checks.mjs')
const { dearestFiles, failedInPlaywright, failedInVitest, tooDear } = await import('./test-report.mjs')

say('Checks')
for (const { name, holds } of await runChecks())
  if (holds) sum.passed++
  else fail(`check: ${name}`)

/** Runs unit files once more, alone, because a file may have waited for the processor among others. */
function runAgain(files) {
  if (files.length === 0) return undefined
  const report = path.join(results, 'vitest-again.json')
  const names = files.map(({ name }) => name)
  node(['node_modules/vitest/vitest.mjs', 'run', '--reporter=json', `--outputFile.json=${report}`, ...names])
  return readJson(report)
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
// An unreadable file, an unhandled error or no test at all is a failure outside every test.
if (!vitest || vitest.numPassedTests === 0 || (!vitestOk && vitest.numFailedTests === 0))
  fail('the tests of rules and server, outside every test: see their own summary above')

say('Tests: journeys in a browser')
let journeys
try {
  const journeysOk = node(journeyCommand(), await journeyBrowsers())
  journeys = readJson(path.join(results, 'e2e.json'))
  sum.passed += journeys?.stats.expected ?? 0
  sum.failed += (journeys?.stats.unexpected ?? 0) + (journeys?.stats.flaky ?? 0) + (journeys?.stats.skipped ?? 0)
  failures.push(...failedInPlaywright(journeys))
  if (!journeys || journeys.stats.expected === 0 || (!journeysOk && journeys.stats.unexpected === 0))
    fail('the journeys, outside every journey: see above')
} catch (error) {
  fail(`the journeys could not begin: ${error.message}`)
}

say('The ten dearest files')
process.stdout.write(`${dearestFiles(vitest, journeys, root).join('\n')}\n`)
// At full size a file may take as long as it needs.
if (!isFull) {
  const dear = tooDear(vitest, journeys, root, runAgain(tooDear(vitest, undefined, root)))
  for (const { line } of dear) fail(`too dear: ${line}`)
  if (dear.length === 0) sum.passed++
}

finish()
