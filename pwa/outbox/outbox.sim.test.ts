import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { canaries } from './testing/sim-canaries.ts'
import { runHistory } from './testing/sim-history.ts'
import { runReconnects } from './testing/sim-reconnects.ts'
import type { Assignment, Findings } from './testing/sim-worker.ts'

const histories = 100_000
const canaryHistories = 4000
const threads = Math.min(4, Math.max(2, availableParallelism()))

/** Lives histories on all cores. */
async function live(assignments: readonly Assignment[][]): Promise<{ assignment: Assignment; findings: Findings }[]> {
  const found = await Promise.all(
    assignments.map(
      (workerData) =>
        new Promise<{ assignment: Assignment; findings: Findings }[]>((resolve, reject) => {
          const done: { assignment: Assignment; findings: Findings }[] = []
          const worker = new Worker(new URL('./testing/sim-worker.ts', import.meta.url), { workerData, execArgv: ['--import', 'tsx'] })
          worker.on('message', (message: { assignment: Assignment; findings: Findings }) => done.push(message))
          worker.on('error', reject)
          worker.on('exit', () => resolve(done))
        }),
    ),
  )
  return found.flat()
}

/** A run that met none of these proved nothing about them. */
const mustMeet = [
  'conflict', 'duplicate', 'crash', 'server crash', 'reset', 'robbery', 'freeze', 'clock jump', 'portal', 'truncated', 'signed-out',
  'undo: undone', 'undo: too-late', 'discard: cancelled', 'discard: already-happened', 'discard: unknown', 'cancel: already-happened',
  'retry: retried', 'edit: resent', 'refusal', 'parked at the end', 'reconnect', 'settled', 'not saved',
]

describe('the simulation', () => {
  it(`keeps P1–P7 on every step of ${histories.toLocaleString('en')} histories`, async () => {
    const found = await live(Array.from({ length: threads }, (_, thread) => [{ from: 1 + thread, to: 1 + histories, stride: threads }]))
    const met: Record<string, number> = {}
    for (const { findings } of found) for (const [what, count] of Object.entries(findings.met)) met[what] = (met[what] ?? 0) + count
    expect(found.flatMap(({ findings }) => findings.failures)).toEqual([])
    expect(found.reduce((sum, { findings }) => sum + findings.histories, 0)).toBe(histories)
    expect(mustMeet.filter((what) => (met[what] ?? 0) < 100)).toEqual([])
  })

  it(`catches each of ${Object.keys(canaries).length} seeded bugs within ${canaryHistories.toLocaleString('en')} histories`, async () => {
    const assignments: Assignment[][] = Array.from({ length: threads }, () => [])
    Object.keys(canaries).forEach((canary, index) => assignments[index % threads]?.push({ from: 1, to: 1 + canaryHistories, stride: 1, canary }))
    const found = await live(assignments)
    const missed = found.filter(({ findings }) => findings.failures.length === 0).map(({ assignment }) => assignment.canary)
    expect(missed).toEqual([])
    expect(found).toHaveLength(Object.keys(canaries).length)
  })

  it('goes on without a stall through 10,000 reconnects, each first request within 5 s', async () => {
    const { stalls, slowestMs, sent } = await runReconnects(10_000)
    expect(stalls).toBe(0)
    expect(slowestMs).toBeLessThanOrEqual(5000)
    expect(sent).toBe(10_000)
  })
})

describe('a history that once broke a promise', () => {
  it.each([
    [19, 'an acknowledgement of a new epoch is not measured by the versions of an old copy'],
    [67, 'a change that a restored server has forgotten goes out again by itself'],
    [602, 'a 401 that arrives after the sign-in does not pause what was sent before it'],
    [1953, 'documents of an epoch never get into the copy of another'],
  ])('seed %i: %s', async (seed) => {
    expect((await runHistory(seed)).problems).toEqual([])
  })
})
