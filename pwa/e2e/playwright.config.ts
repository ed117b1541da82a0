import path from 'node:path'
import { defineConfig } from 'playwright/test'
import { chromiumLaunch } from './chromium.ts'

/** Browser journeys: the built app and server, a real PostgreSQL, a real Chromium. */
export default defineConfig({
  testDir: '.',
  testMatch: '**/*.spec.ts',
  globalSetup: path.resolve('pwa/e2e/global-setup.ts'),
  outputDir: path.resolve('test-results'),
  workers: 2,
  fullyParallel: false,
  forbidOnly: true,
  retries: 0,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: [['list'], ['json', { outputFile: path.resolve('test-results/e2e.json') }]],
  use: {
    viewport: { width: 390, height: 844 },
    locale: 'en-US',
    launchOptions: chromiumLaunch,
  },
})
