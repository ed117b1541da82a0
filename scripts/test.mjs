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
const passedOnlyAlone = []
const stages = []
/** Of tests that fail beside others. What fails for the machine's reasons must not grow unseen. */
const maxOnlyAlone = 5
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
  if (passedOnlyAlone.length > 0) say(`Passed only alone\n${passedOnlyAlone.join('\n')}`)
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
const report = await import('./test-report.mjs')

say('Checks')
for (const { name, holds } of await runChecks())
  if (holds) sum.passed++
  else fail(`check: ${name}`)

say('Tests: rules, server on a real PostgreSQL, simulation')
rmSync(results, { recursive: true, force: true })
function runVitest(name, options) {
  const file = path.join(results, name)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const isOk = node(['node_modules/vitest/vitest.mjs', 'run', ...reporters, ...options])
  return { isOk, report: readJson(file) }
}
const vitest = runVitest('vitest.json', [])
// An unreadable file, an unhandled error or no test at all is a failure outside every test.
if (!vitest.report || vitest.report.numTotalTests === 0 || (!vitest.isOk && vitest.report.success))
  fail('the tests of rules and server, outside every test: see their own summary above')

say('Tests: journeys in a browser')
const journeys = { isOk: false, report: undefined }
let browsers
/** The second run reads from the first one's results which journeys failed. */
function runJourneys(name, options) {
  const file = path.join(results, name)
  return { isOk: node(journeyCommand(options), { ...browsers, JOURNEY_REPORT: file }), report: readJson(file) }
}
try {
  browsers = await journeyBrowsers()
  Object.assign(journeys, runJourneys('e2e.json', []))
  const hasOnlyPassed = journeys.report?.stats.unexpected === 0 && journeys.report.errors.length === 0
  if (!journeys.report || journeys.report.stats.expected === 0 || (!journeys.isOk && hasOnlyPassed))
    fail('the journeys, outside every journey: see above')
} catch (error) {
  fail(`the journeys could not begin: ${error.message}`)
}

const again = { vitest: undefined, journeys: undefined }
const failedFiles = report.failedFilesInVitest(vitest.report, root)
const someJourneyFailed = (journeys.report?.stats.unexpected ?? 0) > 0
// At full size nothing gets a second try.
if (!isFull && (failedFiles.length > 0 || someJourneyFailed)) {
  say('What failed, once more and alone')
  if (failedFiles.length > 0)
    again.vitest = runVitest('vitest-again.json', ['--maxWorkers=1', '--no-file-parallelism', ...failedFiles]).report
  if (someJourneyFailed) again.journeys = runJourneys('e2e-again.json', ['--last-failed', '--workers=1']).report
}

for (const verdict of [
  report.verdictOfVitest(vitest.report, again.vitest, root),
  report.verdictOfPlaywright(journeys.report, again.journeys),
]) {
  sum.passed += verdict.passed
  sum.failed += verdict.failed.length
  failures.push(...verdict.failed)
  passedOnlyAlone.push(...verdict.passedOnlyAlone)
}
if (passedOnlyAlone.length > maxOnlyAlone)
  fail(`${passedOnlyAlone.length} tests passed only alone, and ${maxOnlyAlone} may`)

say('The ten dearest files')
process.stdout.write(`${report.dearestFiles(vitest.report, journeys.report, root).join('\n')}\n`)
const dear = report.tooDear(vitest.report, journeys.report, root)
if (dear.length > 0)
  process.stdout.write(
    `   Too dear is what takes longer than 2 s as a unit file or 30 s as a journey:\n${dear.join('\n')}\n`,
  )

finish()
