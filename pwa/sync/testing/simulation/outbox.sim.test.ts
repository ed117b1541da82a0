import { fork } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { sized } from '../../../../sync-server/testing/proof-size.ts'
import { canaries } from './sim-canaries.ts'
import { runReconnects } from './sim-reconnects.ts'
import type { Assignment, Findings } from './sim-process.ts'
import { streamFates } from './sim-stage.ts'

const histories = sized(200_000, 1500)
/** How often the histories must meet each of `mustMeet`. */
const minMet = sized(10, 1)
const canaryHistories = 5000
const processes = Math.min(4, Math.max(2, availableParallelism()))

// As one plain file: run through a loader, which names every function anew, it takes a third longer. The processes have the
// cores between them, so threads that collect garbage would only wait for each other.
let folder = ''
let program = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'simulation-'))
  const input = fileURLToPath(new URL('./sim-process.ts', import.meta.url))
  program = join(folder, 'sim-process.mjs')
  await build({ input, platform: 'node', tsconfig: false, logLevel: 'warn', output: { file: program, format: 'esm' } })
})
afterAll(() => rm(folder, { recursive: true, force: true }))

interface Done {
  readonly assignment: Assignment
  readonly findings: Findings
}

// A busy machine takes its time; two idle cores need about two minutes.
const patienceMs = 1_800_000

/** Lives histories in several processes, so that every core has work. None of them outlives its test. */
async function live(assignments: readonly Assignment[][]): Promise<Done[]> {
  const found = await Promise.all(
    assignments.map(
      (mine) =>
        new Promise<Done[]>((resolve, reject) => {
          const done: Done[] = []
          const child = fork(program, [JSON.stringify(mine)], { execArgv: ['--single-threaded-gc'] })
          onTestFinished(() => void child.kill())
          child.on('message', (message) => done.push(message as Done))
          child.on('error', reject)
          child.on('exit', (code) =>
            code === 0 ? resolve(done) : reject(new Error(`A process of the simulation ended with ${code}`)),
          )
        }),
    ),
  )
  return found.flat()
}

/** A run that met none of these proved nothing about them. */
const mustMeet = [
  'conflict',
  'duplicate',
  'crash',
  'server crash',
  'robbery',
  'two drainers',
  'freeze',
  'clock jump',
  'portal',
  'truncated',
  'signed-out',
  'undo: undone',
  'undo: too-late',
  'discard: cancelled',
  'discard: already-happened',
  'discard: unknown',
  'cancel: already-happened',
  'retry: retried',
  'edit: resent',
  'refusal',
  'parked at the end',
  'reconnect',
  'settled',
  'marked',
  'not saved',
  'restore',
  'restore that nobody says',
  'offered again',
  'application offered again',
  'new epoch',
  'tombstones purged',
  'reset: history',
  'reset: horizon',
  'damaged',
  'new refusal',
  'update with a queue',
  'update with a sent change',
  'stream',
  ...streamFates.map((fate) => `stream: ${fate}`),
]

describe('the simulation', () => {
  it(
    `keeps P1–P7 on every step of ${histories.toLocaleString('en')} histories`,
    async () => {
      const found = await live(
        Array.from({ length: processes }, (_, index) => [{ from: 1 + index, to: 1 + histories, stride: processes }]),
      )
      const met: Record<string, number> = {}
      for (const { findings } of found)
        for (const [what, count] of Object.entries(findings.met)) met[what] = (met[what] ?? 0) + count
      expect(found.flatMap(({ findings }) => findings.failures)).toEqual([])
      expect(found.reduce((sum, { findings }) => sum + findings.histories, 0)).toBe(histories)
      expect(mustMeet.filter((what) => (met[what] ?? 0) < minMet)).toEqual([])
    },
    patienceMs,
  )

  it(
    `catches each of ${Object.keys(canaries).length} seeded bugs in ${canaryHistories.toLocaleString('en')} histories`,
    async () => {
      const assignments: Assignment[][] = Array.from({ length: processes }, () => [])
      Object.keys(canaries).forEach((canary, index) =>
        assignments[index % processes]?.push({ from: 1, to: 1 + canaryHistories, stride: 1, canary }),
      )
      const found = await live(assignments)
      const missed = found
        .filter(({ findings }) => findings.failures.length === 0)
        .map(({ assignment }) => assignment.canary)
      expect(missed).toEqual([])
      expect(found).toHaveLength(Object.keys(canaries).length)
    },
    patienceMs,
  )

  it('goes on without a stall through 10,000 reconnects, each first request within 5 s', async () => {
    const { stalls, slowestMs, sent } = await runReconnects(10_000)
    expect(stalls).toBe(0)
    expect(slowestMs).toBeLessThanOrEqual(5000)
    expect(sent).toBe(10_000)
  })
})
