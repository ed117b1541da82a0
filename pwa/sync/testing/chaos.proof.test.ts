import 'fake-indexeddb/auto'
import { expect, it } from 'vitest'
import { runChaos } from './chaos/chaos-run.ts'
import { equalWithinMs } from './chaos/equality.ts'
import { fullSize, sized } from '../../../sync-server/testing/proof-size.ts'

const runs = sized(
  [
    { seed: 11, changes: 1200 },
    { seed: 22, changes: 1200 },
    { seed: 33, changes: 1200 },
    { seed: 55, changes: 1200 },
  ],
  [{ seed: 11, changes: 150 }],
)
/** Alone on two cores a seed takes a fraction of this. */
const limitMs = 480_000

it.for(runs)(
  'ten phones lose and double nothing while phones, server and database die (seed $seed)',
  { timeout: limitMs },
  async (run, { annotate, signal }) => {
    const { broken, replicas, log, ...report } = await runChaos({ ...run, signal })
    const summary = `seed ${run.seed}: ${JSON.stringify(report)}`
    await annotate(summary)
    expect(
      broken.slice(0, 20),
      `${broken.length} broken promises, ${broken.slice(0, 20).join('; ')}, ${summary}`,
    ).toEqual([])
    const [first, ...others] = replicas
    for (const other of others) expect(other, summary).toEqual(first)
    expect(log.logged, summary).toEqual(log.fromTables)
    expect(Object.values(report.disasters), summary).not.toContain(0)
    expect(report.acknowledged, summary).toBeGreaterThan(run.changes / 2)
    if (!fullSize) return
    // A short run beside other tests meets too little for what depends on chance, and says nothing about times.
    expect(Object.values(report.met), `says nothing, ${summary}`).not.toContain(0)
    expect(report.equalAfterFaultMs, summary).toBeLessThanOrEqual(equalWithinMs)
    expect(report.equalAfterChangeMs, summary).toBeLessThanOrEqual(equalWithinMs)
  },
)
