// `npm run test:e2e -- [a file's name] [-g a title]`: browser journeys against the built app and server. Installs what is
// missing and builds what changed; `npm test` runs them too.
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

/** Which browsers the journeys drive, installed if they are missing: as the environment Playwright's configuration reads. */
export async function journeyBrowsers() {
  const { ensureBrowser } = await import('./ensure-browser.mjs')
  return { CHROMIUM_PATH: await ensureBrowser('chromium'), FIREFOX_PATH: await ensureBrowser('firefox') }
}

/** The arguments of Node that run journeys. @param {readonly string[]} args which ones; all without */
export const journeyCommand = (args = []) => [...playwright, ...args]

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const run = (args, env = {}) =>
    spawnSync(process.execPath, args, { stdio: 'inherit', env: { ...process.env, ...env } }).status ?? 1
  const prepared = run(['sync-server/scripts/start.mjs', '--prepare'])
  process.exitCode = prepared === 0 ? run(journeyCommand(process.argv.slice(2)), await journeyBrowsers()) : prepared
}
