// `npm start`: installs what is missing, builds what changed, serves; what is built already is served without the
// packages that build and test. Plain JavaScript with Node's modules only: it runs before anything is installed.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const inRoot = (...parts) => path.join(root, ...parts)
const OLDEST_NODE = [20, 19]
const lockFile = inRoot('package-lock.json')
const lockStamp = inRoot('node_modules', '.beaconry-lock')
const buildStamp = inRoot('dist', '.stamp')
const serverFile = inRoot('dist', 'server', 'main.mjs')

function say(text) {
  process.stdout.write(`${text}\n`)
}

function stop(text) {
  process.stderr.write(`${text}\n`)
  process.exit(1)
}

function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return
  stop(
    `Beaconry needs Node ${OLDEST_NODE.join('.')} or newer; this is Node ${process.versions.node}. Get a newer one from https://nodejs.org`,
  )
}

function npm(title, args) {
  say(`${title} (npm ${args[0] === 'run' ? `run ${args[1]}` : args[0]}) …`)
  const startedAt = Date.now()
  // npm's own program where npm started us: Windows then needs no npm.cmd.
  const cli = process.env.npm_execpath
  const viaNode = cli !== undefined && /npm-cli\.c?js$/.test(cli)
  const result = viaNode
    ? spawnSync(process.execPath, [cli, ...args], { cwd: root, stdio: 'inherit' })
    : spawnSync('npm', args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' })
  if (result.status !== 0)
    stop(`${title} failed${result.error ? `: ${result.error.message}` : ''}. See the lines above.`)
  say(`${title}: done in ${((Date.now() - startedAt) / 1000).toFixed(1)} s`)
}

function hashOf(files) {
  const hash = createHash('sha256')
  for (const file of files) hash.update(path.relative(root, file)).update('\0').update(readFileSync(file)).update('\0')
  return hash.digest('hex')
}

function readStamp(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

function modifiedAt(file) {
  return existsSync(file) ? statSync(file).mtimeMs : 0
}

/** @param {boolean} toBuild whether the packages that build and test are needed too */
function install(toBuild) {
  const locked = existsSync(lockFile)
  const wanted = locked ? hashOf([lockFile]) : 'no lock file'
  const isWhole = !toBuild || existsSync(inRoot('node_modules', 'vite'))
  if (existsSync(inRoot('node_modules')) && isWhole && readStamp(lockStamp) === wanted) return
  // npm writes this file last: newer than the lock means that npm was just run by hand.
  const lastInstall = modifiedAt(inRoot('node_modules', '.package-lock.json'))
  if (!isWhole || lastInstall === 0 || lastInstall < modifiedAt(lockFile)) {
    npm('Installing packages', [
      locked ? 'ci' : 'install',
      toBuild ? '--include=dev' : '--omit=dev',
      '--include=optional',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
    ])
  }
  writeFileSync(lockStamp, wanted)
}

const SOURCES = [
  'pwa',
  'shared',
  'sync-server',
  'scripts/build-server.ts',
  'scripts/bundle.ts',
  'scripts/third-party-texts.ts',
  'public',
  'package.json',
  'package-lock.json',
  'vite.config.ts',
  'tsconfig.base.json',
]
const NOT_BUILT = /(\.(test|spec|bench)\.tsx?|[\\/](testing|e2e|bench))$/

function filesBelow(file) {
  if (!existsSync(file) || NOT_BUILT.test(file)) return []
  if (!statSync(file).isDirectory()) return [file]
  return readdirSync(file)
    .sort()
    .flatMap((name) => filesBelow(path.join(file, name)))
}

const hashOfSources = () => hashOf(SOURCES.flatMap((name) => filesBelow(inRoot(name))))

/** What is delivered without the app's sources was built elsewhere. */
const isBuilt = () =>
  existsSync(serverFile) && (!existsSync(inRoot('pwa')) || readStamp(buildStamp) === hashOfSources())

function build() {
  const wanted = hashOfSources()
  // A build that fails half way must not count as finished.
  rmSync(buildStamp, { force: true })
  npm('Building the app', ['run', 'build', '--silent'])
  mkdirSync(path.dirname(buildStamp), { recursive: true })
  writeFileSync(buildStamp, wanted)
}

/** A stopped npm ends its shell without a signal to us: the server would go on unused. */
function stopWithNpm() {
  if (process.env.npm_lifecycle_event === undefined) return
  const shell = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === shell) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }, 200)
  timer.unref()
}

requireNode()
process.chdir(root)
const isToServe = !process.argv.includes('--prepare')
const wasBuilt = isBuilt()
install(!isToServe || !wasBuilt)
if (!wasBuilt) build()
if (!isToServe) process.exit(0)
stopWithNpm()
// In this process, so that signals, exit status and kill -9 reach the server directly.
process.setSourceMapsEnabled(true)
process.argv[1] = serverFile
import(pathToFileURL(serverFile).href).catch((error) => {
  process.stderr.write(`${error?.stack ?? error}\n`)
  process.exit(1)
})
