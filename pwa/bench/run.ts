// npm run bench: how fast the built app is, each figure beside what the same machine does at best in the same run.
// A benchmark, not a test: it never fails because something is slow.
import os from 'node:os'
import { ms, table, type Figure } from '../../sync-server/bench/figures.ts'
import { benchGrowth } from '../../sync-server/bench/growth.bench.ts'
import { benchLiveCost } from '../../sync-server/bench/live-cost.bench.ts'
import { benchLivePhones } from '../../sync-server/bench/live-phones.bench.ts'
import { benchRequests } from '../../sync-server/bench/requests.bench.ts'
import { openStage, startRawServer } from '../../sync-server/bench/stage.ts'
import { openBrowser } from './browser.ts'
import { benchDrain } from './drain.bench.ts'
import { benchFirstSync } from './first-sync.bench.ts'
import { benchLive } from './live.bench.ts'
import { benchOfflineReload } from './offline-reload.bench.ts'
import { benchReplay } from './replay.bench.ts'
import { benchRestart } from './restart.bench.ts'
import { benchManyEvents, benchWorkspace } from './workspace.bench.ts'

const startedAt = performance.now()
const wished = process.argv.slice(2)
const figures: Figure[] = []

/** `npm run bench -- replay live` runs only those. */
async function bench(name: string, run: () => Promise<Figure | Figure[]>): Promise<void> {
  if (wished.length > 0 && !wished.includes(name)) return
  const start = performance.now()
  try {
    figures.push(...[await run()].flat())
  } catch (error) {
    process.exitCode = 1
    console.error(`${name} could not be measured:`, error)
  }
  console.log(`${name}: measured in ${ms(performance.now() - start)}`)
}

if (wished.includes('growth')) await bench('growth', benchGrowth)
if (wished.length !== 1 || wished[0] !== 'growth') await benchApp()

async function benchApp(): Promise<void> {
  const stage = await openStage()
  const raw = await startRawServer(stage.connectionString)
  const browser = await openBrowser()
  try {
    await bench('requests', () => benchRequests(stage.server.port, raw.port))
    await bench('replay', () => benchReplay(browser, stage, raw.port, { roundTripMs: 0, limitMs: 210, runs: 5 }))
    await bench('replay', () => benchReplay(browser, stage, raw.port, { roundTripMs: 100, limitMs: 267, runs: 3 }))
    await bench('drain', () => benchDrain(browser, stage, 3))
    await bench('live', () => benchLive(browser, stage, 35))
    await bench('live-cost', () => benchLiveCost(stage, raw, 500))
    await bench('live-cost', () => benchLivePhones(stage, raw, 200))
    for (const [count, limit, runs] of [
      [200, 1.7, 5],
      [1_000, 2, 5],
      [2_000, 2, 5],
      [10_000, 1.5, 3],
    ] as const)
      await bench('first-sync', () => benchFirstSync(browser, stage, raw.port, count, limit, runs))
    for (const count of [200, 1_000, 2_000, 10_000])
      await bench('offline-reload', () => benchOfflineReload(browser, stage, count, 5))
    for (const count of [200, 2_000]) await bench('workspace', () => benchWorkspace(browser, stage, count, 40))
    await bench('workspace', () => benchWorkspace(browser, stage, 10_000, 60))
    await bench('many-events', () => benchManyEvents(browser, stage, 5))
    await bench('restart', () => benchRestart(stage))
  } finally {
    await browser.close()
    raw.stop()
    await stage.stop()
  }
}
const [cpu] = os.cpus()
const load = os
  .loadavg()
  .map((value) => value.toFixed(1))
  .join(' ')
console.log(
  `\n${table(figures)}\n\nMedians (p95 where said) on ${os.cpus().length} × ${cpu?.model.trim() ?? 'CPU'}, load ${load}, ${Math.round((performance.now() - startedAt) / 1000)} s.`,
)
