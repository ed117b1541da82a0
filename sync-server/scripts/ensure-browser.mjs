// Finds a Chromium for the browser tests, or installs one, and says what it did.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

async function bundledBrowser() {
  const { chromium } = await import('playwright')
  const file = chromium.executablePath()
  return existsSync(file) ? file : undefined
}

function run(command, args) {
  console.log(`browser: ${command} ${args.join(' ')}`)
  return spawnSync(command, args, { stdio: 'inherit' }).status === 0
}

/** @returns {Promise<string>} the path of a Chromium that can be started; throws with a clear line when there is none. */
export async function ensureBrowser() {
  const wished = process.env.CHROMIUM_PATH
  if (wished) {
    if (!existsSync(wished)) throw new Error(`CHROMIUM_PATH names ${wished}, and nothing is there`)
    return wished
  }
  const found = places.find((place) => existsSync(place)) ?? (await bundledBrowser())
  if (found) {
    console.log(`browser: ${found}`)
    return found
  }
  if (process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    run('apt-get', ['update', '-qq'])
    if (run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium']) && existsSync(places[0])) return places[0]
  }
  if (run(process.execPath, ['node_modules/playwright/cli.js', 'install', 'chromium'])) {
    const bundled = await bundledBrowser()
    if (bundled) return bundled
  }
  throw new Error('No Chromium was found and none could be installed. Install one and name it in CHROMIUM_PATH.')
}
