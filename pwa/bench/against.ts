// node --import tsx pwa/bench/against.ts <git reference> [names]: the benchmark of another version and of this one, in turns, so that the same
// noise falls on both. Each version is measured by its own `npm run bench`, on its own build.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { median } from '../../sync-server/bench/figures.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '3' } },
})
const [reference, ...names] = positionals
const rounds = Number(values.rounds)
if (!reference || !Number.isInteger(rounds) || rounds < 1) {
  console.error('node --import tsx pwa/bench/against.ts [--rounds 3] <git reference> [replay first-sync …]')
  process.exit(64)
}

interface Seen {
  /** Milliseconds, or how many a second. */
  readonly value: number
  readonly unit: string
  /** How it compares with the floor of its own run; null where there is none. */
  readonly ratio: number | null
}

const folder = mkdtempSync(path.join(os.tmpdir(), 'beaconry-against-'))
const here = process.cwd()
const there = path.join(folder, 'reference')
try {
  execFileSync('git', ['worktree', 'add', '--quiet', '--detach', there, reference], { stdio: 'inherit' })
  for (const args of [
    ['ci', '--no-audit', '--no-fund'],
    ['run', 'build'],
  ])
    npm(there, args)
  npm(here, ['run', 'build'])
  const before = new Map<string, Seen[]>()
  const now = new Map<string, Seen[]>()
  for (let round = 1; round <= rounds; round += 1) {
    // The second one finds a warmer machine: the two take turns.
    const turns = [
      { version: there, into: before },
      { version: here, into: now },
    ]
    for (const { version, into } of round % 2 === 0 ? turns.toReversed() : turns) measure(version, into)
    console.log(`round ${round} of ${rounds} done`)
  }
  print(before, now)
} finally {
  spawnSync('git', ['worktree', 'remove', '--force', there])
  rmSync(folder, { recursive: true, force: true })
}

function npm(cwd: string, args: readonly string[]): void {
  console.log(`${path.basename(cwd)}: npm ${args.join(' ')}`)
  execFileSync('npm', args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
}

/** Runs a version's benchmark and notes each line of its table. */
function measure(cwd: string, into: Map<string, Seen[]>): void {
  const { stdout } = spawnSync('npm', ['run', '--silent', 'bench', '--', ...names], { cwd, encoding: 'utf8' })
  for (const line of stdout.split('\n').filter((text) => text.startsWith('| '))) {
    const [name = '', , seen = '', , ratio = ''] = line
      .slice(2, -2)
      .split(' | ')
      .map((cell) => cell.trim())
    const [, value, unit = ''] = /^([\d.,]+)\s*(ms|s|\/s)/.exec(seen) ?? []
    if (value === undefined) continue
    const times = Number.parseFloat(ratio)
    into.set(name, [
      ...(into.get(name) ?? []),
      { value: Number(value.replaceAll(',', '')), unit, ratio: Number.isNaN(times) ? null : times },
    ])
  }
}

function print(before: ReadonlyMap<string, Seen[]>, now: ReadonlyMap<string, Seen[]>): void {
  const cells = (seen: readonly Seen[]) => {
    const ratios = seen.flatMap(({ ratio }) => ratio ?? [])
    const value = median(seen.map((one) => one.value))
    return `${value} ${seen[0]?.unit}${ratios.length > 0 ? ` (${median(ratios).toFixed(2)}×)` : ''}`
  }
  console.log(
    `\n| figure (its ratio to the floor) | ${reference} | now | now / ${reference} |\n| --- | --- | --- | --- |`,
  )
  for (const [name, seen] of now) {
    const earlier = before.get(name)
    const change = earlier
      ? `${(median(seen.map(({ value }) => value)) / median(earlier.map(({ value }) => value))).toFixed(2)}×`
      : '–'
    console.log(`| ${name} | ${earlier ? cells(earlier) : 'not measured'} | ${cells(seen)} | ${change} |`)
  }
  console.log(`\nMedians of ${rounds} rounds in turns; of calls a second more is better, of all else less.`)
}
