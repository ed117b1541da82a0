import path from 'node:path'
import { defineConfig } from 'playwright/test'
import { fullSize, sized } from '../../sync-server/testing/proof-size.ts'
import type { Journey } from './journey.ts'
import { journeyLaunch } from './chromium.ts'

const pooled =
  /\/(push|tell-this-phone|approve-offline|organizer-offline|volunteer-applies-offline|follows-by-itself)\.spec\.ts$/

/** Journeys of a browser that could not be installed are left out, and those that run only at full size. */
const leftOut = [
  ...(fullSize ? [] : [/@nightly/]),
  ...(process.env['WEBKIT_DRIVER_PATH'] ? [] : [/\/webkit[\w-]*\.spec\.ts/]),
  ...(process.env['FIREFOX_PATH'] ? [] : [/\/no-sync-manager\.spec\.ts/]),
]

/**
 * Browser journeys: the built app and server, a real PostgreSQL, a real Chromium. Those that are called @nightly run in
 * `npm run test:proofs` alone. Time-outs only end what hangs.
 */
export default defineConfig<Pick<Journey, 'isPooled'>>({
  testDir: '.',
  testMatch: '**/*.spec.ts',
  grepInvert: leftOut,
  globalSetup: path.resolve('pwa/e2e/global-setup.ts'),
  outputDir: path.resolve('test-results/journeys'),
  // Some wait for seconds to go by; in the full size times are promised, on a machine that does nothing else.
  workers: sized(2, 3),
  fullyParallel: true,
  forbidOnly: true,
  retries: 0,
  // What waits, drains, follows and alerts, once more behind the pooler that managed databases have.
  projects: sized([{ name: 'direct' }, { name: 'pooler', use: { isPooled: true }, testMatch: pooled }], [{}]),
  timeout: 300_000,
  expect: { timeout: 60_000 },
  reporter: [
    ['list'],
    ['json', { outputFile: path.resolve(process.env['JOURNEY_REPORT'] ?? 'test-results/e2e.json') }],
  ],
  use: {
    viewport: { width: 390, height: 844 },
    locale: 'en-US',
    launchOptions: journeyLaunch,
    contextOptions: { reducedMotion: 'reduce' },
  },
})
