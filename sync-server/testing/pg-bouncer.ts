import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { namedUser } from '../db/embedded/run-as.ts'
import { freePort } from './server-process.ts'

const settings = (target: URL, port: number) => `[databases]
* = host=${target.hostname} port=${target.port} user=${target.username} password=${decodeURIComponent(target.password)}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 3
`

/** The real one, with the settings it comes with, in transaction mode. Throws where it is missing and cannot be installed. */
export async function startPgBouncer(
  connectionString: string,
): Promise<{ connectionString: string; close(): Promise<void> }> {
  const program = findPgBouncer()
  const target = new URL(connectionString)
  const port = await freePort()
  const folder = mkdtempSync(path.join(os.tmpdir(), 'beaconry-pgbouncer-'))
  const file = path.join(folder, 'pgbouncer.ini')
  writeFileSync(file, settings(target, port))
  let said = ''
  // It refuses to run as root, and then reads its settings before it becomes another.
  const user = process.getuid?.() === 0 ? ['-u', userName()] : []
  const child = spawn(program, [...user, file], { stdio: ['ignore', 'ignore', 'pipe'] })
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  while (!(await answers(port))) {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended with ${child.exitCode}:\n${said}`)
    await delay(20)
  }
  const address = new URL(connectionString)
  address.hostname = '127.0.0.1'
  address.port = String(port)
  return {
    connectionString: address.href,
    close: async () => {
      child.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const aptGet = '/usr/bin/apt-get'

function findPgBouncer(): string {
  const find = () =>
    ['/usr/sbin', '/usr/bin', '/opt/homebrew/bin', '/usr/local/bin']
      .map((folder) => path.join(folder, 'pgbouncer'))
      .find((file) => existsSync(file))
  const found = find()
  if (found) return found
  if (process.getuid?.() === 0 && existsSync(aptGet)) {
    spawnSync(aptGet, ['update', '-qq'])
    spawnSync(aptGet, ['install', '-y', '-qq', '--no-install-recommends', 'pgbouncer'])
  }
  const installed = find()
  if (!installed) throw new Error('PgBouncer is missing and could not be installed: install the package pgbouncer')
  return installed
}

const userName = () => spawnSync('id', ['-nu', String(namedUser)], { encoding: 'utf8' }).stdout.trim()

const answers = async (port: number): Promise<boolean> =>
  await new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('error', () => resolve(false))
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
  })
