// Run by `npm run check`; `npm test` counts each check as one test.
import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'

const checks = [
  { name: 'types and the direction between projects', args: ['node_modules/typescript/bin/tsc', '-b'] },
  { name: 'lint', args: ['node_modules/oxlint/bin/oxlint', '--type-aware', '--deny-warnings', '--quiet'] },
  {
    name: 'nothing unused',
    args: ['node_modules/knip/bin/knip.js', '--no-progress', '--treat-config-hints-as-errors'],
  },
  { name: 'format', args: ['node_modules/oxfmt/bin/oxfmt', '--check'] },
  { name: 'doors between rooms', args: ['sync-server/scripts/checks/check-doors.mjs'] },
  { name: 'lock file', args: ['sync-server/scripts/checks/check-lock.mjs'] },
  { name: 'weight of the built app', args: ['pwa/check-budget.mjs'] },
  {
    name: 'figures of the house; an aim that is missed:',
    args: ['sync-server/scripts/checks/house.mjs', '--missed'],
    tells: true,
  },
]

function run(args) {
  return new Promise((resolve) => {
    const startedAt = Date.now()
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
    child.on('close', (status) => resolve({ holds: status === 0, output, seconds: (Date.now() - startedAt) / 1000 }))
  })
}

/**
 * As many checks at a time as there are cores.
 * @returns the name of each, and whether it holds
 */
export async function runChecks() {
  /** @type {{ name: string, holds: boolean }[]} */
  const ended = []
  const waiting = checks.values()
  const work = async () => {
    for (const { name, args, tells = false } of waiting) {
      const { holds, output, seconds } = await run(args)
      process.stdout.write(`${holds ? '✓' : '✗'} ${name} ${seconds.toFixed(1)} s\n${holds && !tells ? '' : output}`)
      ended.push({ name, holds })
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
  return ended
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  process.exit((await runChecks()).filter(({ holds }) => !holds).length)
