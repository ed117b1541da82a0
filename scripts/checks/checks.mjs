// `npm run check` runs every check, `npm run check -- imports house` only the named ones, with all that they print. `npm
// test` counts each check as one test.
import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'

const checks = {
  types: { about: 'types and the direction between projects', args: ['node_modules/typescript/bin/tsc', '-b'] },
  lint: { about: 'lint', args: ['node_modules/oxlint/bin/oxlint', '--type-aware', '--deny-warnings', '--quiet'] },
  unused: {
    about: 'nothing unused',
    args: ['node_modules/knip/bin/knip.js', '--no-progress', '--treat-config-hints-as-errors'],
  },
  format: { about: 'format', args: ['node_modules/oxfmt/bin/oxfmt', '--check'] },
  imports: { about: 'imports between folders', args: ['scripts/checks/check-imports.mjs'] },
  texts: { about: 'text in elements, for translated pages', args: ['scripts/checks/component-texts.mjs'] },
  sentences: { about: 'comments that are sentences, words that all know', args: ['scripts/checks/sentences.mjs'] },
  lock: { about: 'lock file', args: ['scripts/checks/check-lock.mjs'] },
  budget: { about: 'weight of the built app', args: ['scripts/checks/check-budget.mjs'] },
  /** An aim that is missed is printed and does not fail. */
  house: {
    about: 'figures of the house; an aim that is missed:',
    args: ['scripts/checks/house.mjs'],
    argsAmongOthers: ['--missed'],
    tells: true,
  },
}

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
 * Runs as many checks at a time as there are cores.
 * @param {readonly string[]} names which checks to run; none means all of them
 * @returns what each check is about, and whether it holds
 */
export async function runChecks(names = []) {
  const unknown = names.filter((name) => !(name in checks))
  if (unknown.length > 0)
    throw new Error(`There is no check ${unknown.join(', ')}. There are: ${Object.keys(checks).join(', ')}`)
  /** @type {{ name: string, holds: boolean }[]} */
  const ended = []
  const isNamed = names.length > 0
  const waiting = (isNamed ? names : Object.keys(checks)).map((name) => checks[name]).values()
  const work = async () => {
    for (const { about, args, argsAmongOthers = [], tells = false } of waiting) {
      const { holds, output, seconds } = await run(isNamed ? args : [...args, ...argsAmongOthers])
      const isShown = isNamed || tells || !holds
      process.stdout.write(`${holds ? '✓' : '✗'} ${about} ${seconds.toFixed(1)} s\n${isShown ? output : ''}`)
      ended.push({ name: about, holds })
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
  return ended
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const ended = await runChecks(process.argv.slice(2)).catch((error) => {
    console.error(error.message)
    process.exit(64)
  })
  process.exit(ended.filter(({ holds }) => !holds).length)
}
