// What must hold beside the tests: `npm run check` runs it all, `npm test` counts each check as one test.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export const checks = [
  { name: 'types and the direction between projects', args: ['node_modules/typescript/bin/tsc', '-b'] },
  { name: 'lint', args: ['node_modules/oxlint/bin/oxlint', '--type-aware', '--deny-warnings', '--quiet'] },
  { name: 'format', args: ['node_modules/prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.'] },
  {
    name: 'nothing unused',
    args: ['node_modules/knip/bin/knip.js', '--no-progress', '--treat-config-hints-as-errors'],
  },
  { name: 'doors between rooms', args: ['sync-server/scripts/checks/check-doors.mjs'] },
  { name: 'lock file', args: ['sync-server/scripts/checks/check-lock.mjs'] },
  { name: 'weight of the built app', args: ['pwa/check-budget.mjs'] },
]

/** Runs every check, its output on ours. @returns the exit code: 0 when all hold */
function runChecks() {
  let failed = 0
  for (const { name, args } of checks) {
    process.stdout.write(`── ${name}\n`)
    if (spawnSync(process.execPath, args, { stdio: 'inherit' }).status !== 0) failed++
  }
  process.stdout.write(failed === 0 ? 'All checks hold.\n' : `${failed} of ${checks.length} checks do not hold.\n`)
  return failed === 0 ? 0 : 1
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exit(runChecks())
