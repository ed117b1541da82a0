import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/** Journeys need Chromium; WebKit, which iPhones have; and Firefox, which lacks Background Sync. */
const browsers = {
  chromium: {
    variable: 'CHROMIUM_PATH',
    debian: ['chromium'],
    paths: [
      '/usr/bin/chromium',
      '/usr/bin/chromium-browser',
      '/usr/bin/google-chrome',
      '/usr/bin/google-chrome-stable',
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
      'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
    ],
  },
  firefox: {
    variable: 'FIREFOX_PATH',
    debian: ['firefox-esr'],
    paths: [
      '/usr/bin/firefox-esr',
      '/usr/bin/firefox',
      '/Applications/Firefox.app/Contents/MacOS/firefox',
      'C:\\Program Files\\Mozilla Firefox\\firefox.exe',
    ],
  },
  webkit: {
    variable: 'WEBKIT_DRIVER_PATH',
    debian: ['webkit2gtk-driver', 'xvfb'],
    paths: ['/usr/bin/WebKitWebDriver'],
    /** Its browser has no headless mode: it is shown on a display that does not exist. */
    needs: ['/usr/bin/Xvfb'],
  },
}

function run(command, args) {
  console.log(`browser: ${command} ${args.join(' ')}`)
  return spawnSync(command, args, { stdio: 'inherit' }).status === 0
}

const mayInstallPackages = () =>
  process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')

/** Waits for another apt-get to end, and tries once more. Returns whether all packages are installed. */
function installPackages(...names) {
  const apt = (...args) => run('apt-get', ['-o', 'DPkg::Lock::Timeout=300', '-qq', ...args])
  const install = () => {
    apt('update')
    return apt('install', '-y', '--no-install-recommends', ...names)
  }
  return install() || install()
}

async function downloaded(name) {
  const playwright = await import('playwright')
  const file = playwright[name].executablePath()
  return file && existsSync(file) ? file : undefined
}

/** Finds the browser of `npx @puppeteer/browsers`, whose Firefox is unchanged. */
function cachedFirefox() {
  const cache = path.join(os.homedir(), '.cache', 'beaconry-browsers', 'firefox')
  if (!existsSync(cache)) return undefined
  return readdirSync(cache)
    .map((build) => path.join(cache, build, 'firefox', 'firefox'))
    .find((file) => existsSync(file))
}

/**
 * @param {'chromium' | 'firefox' | 'webkit'} name
 * @returns {Promise<string>} the path of the browser, or of WebKit's driver; throws when there is none
 */
export async function ensureBrowser(name) {
  const { variable, debian, paths, needs = [] } = browsers[name]
  const wished = process.env[variable]
  if (wished) {
    if (!existsSync(wished)) throw new Error(`${variable} names ${wished}, and nothing is there`)
    return wished
  }
  const find = async () => {
    const installed = needs.every((file) => existsSync(file)) && paths.find((file) => existsSync(file))
    if (installed) return installed
    if (name === 'chromium') return await downloaded(name)
    return name === 'firefox' ? cachedFirefox() : undefined
  }
  const found = await find()
  if (found) {
    console.log(`browser: ${found}`)
    return found
  }
  if (mayInstallPackages()) {
    installPackages(...debian)
  } else if (name === 'chromium') {
    run(process.execPath, ['node_modules/playwright/cli.js', 'install', 'chromium'])
  } else if (name === 'firefox') {
    run('npx', [
      '--yes',
      '@puppeteer/browsers@2',
      'install',
      'firefox@stable',
      '--path',
      path.join(os.homedir(), '.cache', 'beaconry-browsers'),
    ])
  }
  const installed = await find()
  if (installed) return installed
  throw new Error(
    `No ${name} was found and none could be installed. Install it (on Debian: ${debian.join(', ')}) and name it in ${variable}.`,
  )
}

/**
 * Chromium without a window, at half the cost; Debian's has the same version as its Chromium.
 * @returns {Promise<string | undefined>} undefined where it cannot be installed
 */
export async function findShell() {
  const wished = process.env.HEADLESS_SHELL_PATH
  const debian = '/usr/bin/chromium-headless-shell'
  const isDebian = existsSync('/usr/bin/chromium') && mayInstallPackages()
  if (wished === undefined && !existsSync(debian) && isDebian && !installPackages(path.basename(debian)))
    console.log('browser: the headless shell could not be installed; the whole Chromium takes its place.')
  return [wished, debian].find((file) => file !== undefined && existsSync(file))
}
