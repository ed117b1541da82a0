// `npm run test:e2e -- [a file's name] [-g a title]`: browser journeys. Installs what is missing and builds what changed.
import { spawnSync } from 'node:child_process'
import { pathToFileURL } from 'node:url'

const playwright = [
  '--import',
  'tsx',
  'node_modules/playwright/cli.js',
  'test',
  '--config',
  'pwa/e2e/playwright.config.ts',
]

/**
 * The environment of Playwright's configuration; installs missing browsers. PROOFS=full runs every journey, in the whole
 * Chromium, and those of Firefox; without it a part runs, mostly in the headless shell. WebKit takes part in both. The
 * configuration leaves out the journeys of a browser that is not named here.
 */
export async function journeyBrowsers() {
  const { ensureBrowser, findShell } = await import('./ensure-browser.mjs')
  const isFull = process.env.PROOFS === 'full'
  const ensureIfPossible = async (name) => {
    try {
      return await ensureBrowser(name)
    } catch (error) {
      console.log(`browser: the journeys in ${name} are left out. ${error.message}`)
      return ''
    }
  }
  const CHROMIUM_PATH = await ensureBrowser('chromium')
  return {
    CHROMIUM_PATH,
    WEBKIT_DRIVER_PATH: await ensureIfPossible('webkit'),
    FIREFOX_PATH: isFull ? await ensureIfPossible('firefox') : '',
    ...(!isFull && { HEADLESS_SHELL_PATH: (await findShell()) ?? CHROMIUM_PATH }),
  }
}

/** @param {readonly string[]} args which journeys; all without */
export const journeyCommand = (args = []) => [...playwright, ...args]

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const run = (args, env = {}) =>
    spawnSync(process.execPath, args, { stdio: 'inherit', env: { ...process.env, ...env } }).status ?? 1
  const prepared = run(['scripts/start.mjs', '--prepare'])
  process.exitCode = prepared === 0 ? run(journeyCommand(process.argv.slice(2)), await journeyBrowsers()) : prepared
}
