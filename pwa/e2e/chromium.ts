import type { LaunchOptions } from 'playwright/test'

/** How journeys, pictures and measurements start Chromium: alone, without a word to anybody but our server. */
export const chromiumLaunch: LaunchOptions = {
  executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
}
