import 'fake-indexeddb/auto'
import { describe, expect, it } from 'vitest'
import { runChaos } from './chaos/chaos-run.ts'
import { equalWithinMs } from './chaos/equality.ts'
import { firstSendMs } from './chaos/first-send.ts'
import { vacuity } from './chaos/report.ts'

const seeds = [11, 22, 33]
const changesPerSeed = 1200
/** Alone on two cores a seed takes a fraction of this. */
const limitMs = 480_000

describe('ten phones on a bad network, with phones, server and PostgreSQL dying in between', () => {
  it.for(seeds)(
    'lose nothing, do nothing twice, never say "sent" too early and end up the same (seed %i)',
    { timeout: limitMs },
    async (seed, { annotate, signal }) => {
      const { broken, replicas, log, ...report } = await runChaos(seed, changesPerSeed, signal)
      const summary = `seed ${seed}: ${JSON.stringify(report)}`
      await annotate(summary)
      expect(broken.slice(0, 20), `${broken.length} broken promises, ${summary}`).toEqual([])
      expect(report.slowestFirstSendMs, summary).toBeLessThanOrEqual(firstSendMs)
      expect(report.equalAfterMs, summary).toBeLessThanOrEqual(equalWithinMs)
      const [first, ...others] = replicas
      for (const other of others) expect(other, summary).toEqual(first)
      expect(log.logged, summary).toEqual(log.fromTables)
      expect(vacuity({ ...report, broken, replicas, log }), `says nothing, ${summary}`).toEqual([])
    },
  )
})
