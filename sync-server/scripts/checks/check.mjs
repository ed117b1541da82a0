// `npm run check`: everything that must hold beside the tests.
import { spawnSync } from 'node:child_process'
import { checks } from './checks.mjs'

let failed = 0
for (const { name, args } of checks) {
  process.stdout.write(`── ${name}\n`)
  if (spawnSync(process.execPath, args, { stdio: 'inherit' }).status !== 0) failed++
}
process.stdout.write(failed === 0 ? 'All checks hold.\n' : `${failed} of ${checks.length} checks do not hold.\n`)
process.exit(failed === 0 ? 0 : 1)
