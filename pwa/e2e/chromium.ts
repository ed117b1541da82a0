import type { LaunchOptions } from 'playwright/test'
import { fullSize } from '../../sync-server/testing/proof-size.ts'

/** How pictures, measurements and alerts start Chromium: alone, without a word to anything but our server. */
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
    // No one closes the preview of a printed page here.
    '--disable-print-preview',
  ],
}

const shell = process.env['HEADLESS_SHELL_PATH']

/** How journeys start it: the headless shell costs half of the whole browser, and lacks push and notifications. */
export const journeyLaunch: LaunchOptions =
  shell === undefined || fullSize ? chromiumLaunch : { ...chromiumLaunch, executablePath: shell }
