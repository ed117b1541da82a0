import { execFile, spawn } from 'node:child_process'
import { chmodSync, closeSync, openSync, readFileSync, realpathSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { isAlive, processesWorkingIn } from './os-process.ts'
import type { PostgresBinaries } from './postgres-binaries.ts'
import type { RunAs } from './run-as.ts'
import { EMBEDDED_USER, readPassword, readPostmasterFile, removePostmasterFile } from './postgres-cluster.ts'

const POLL_MS = 15
const STOP_LIMIT_MS = 20_000

export interface RunningServer {
  pid: number
  port: number
}

/**
 * Undefined unless a server of this folder takes connections. Removes a postmaster.pid that names a zombie or another
 * program's process, because PostgreSQL refuses to start while that id exists.
 */
export async function findRunningServer(folder: string, deadline: number): Promise<RunningServer | undefined> {
  while (Date.now() < deadline) {
    const file = readPostmasterFile(folder)
    if (!file || file.pid === 0) return undefined
    if (file.status === 'ready' && isAlive(file.pid) && (await serves(folder, file.port))) return file
    if (!isAlive(file.pid) || !(await isPostgresOf(file.pid, folder))) {
      if (processesWorkingIn(folder).length === 0) {
        const now = readPostmasterFile(folder)
        if (now?.pid === file.pid) removePostmasterFile(folder)
        return undefined
      }
    }
    // Starting, recovering or stopping, or a killed server's children are still ending.
    await delay(POLL_MS * 2)
  }
  return undefined
}

/** On our folder, not on a copy, and with our password. */
async function serves(folder: string, port: number): Promise<boolean> {
  const client = clientFor(folder, port, 'postgres')
  try {
    await client.connect()
    const { rows } = await client.query<{ data_directory: string }>('show data_directory')
    return realpathSync(rows[0]?.data_directory ?? '') === folder
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** After a reboot the id in postmaster.pid may be any program's. */
async function isPostgresOf(pid: number, folder: string): Promise<boolean> {
  if (process.platform === 'linux') return processesWorkingIn(folder).includes(pid)
  if (process.platform === 'win32') return true
  const { stdout } = await promisify(execFile)('ps', ['-p', String(pid), '-o', 'command=']).catch(() => ({
    stdout: '',
  }))
  return stdout.includes(folder)
}

export interface LaunchOptions {
  folder: string
  binaries: PostgresBinaries
  runAs: RunAs
  durability: 'full' | 'test'
  port?: number
  deadline: number
}

/** Waits until the server takes connections; answers why it ended before. */
export async function launchServer(options: LaunchOptions): Promise<RunningServer | { failure: string }> {
  const { folder, binaries, runAs, durability, deadline } = options
  const port = options.port ?? (await freePort())
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=200',
    'timezone=UTC',
    'log_timezone=UTC',
    ...(durability === 'test' ? ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'] : []),
  ]
  const [command, args, asWhom] = runAs.command(
    binaries.postgres,
    ['-D', folder, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
    folder,
  )
  const logFile = `${folder}.log`
  const output = openSync(logFile, 'w', 0o600)
  chmodSync(logFile, 0o600)
  // A session of its own: Ctrl+C must not stop the database before this server has ended its work.
  const child = spawn(command, args, { ...asWhom, detached: true, stdio: ['ignore', output, output] })
  closeSync(output)
  child.unref()
  let ended: string | undefined
  child.once('error', (error) => (ended = error.message))
  child.once('exit', (code, signal) => (ended ??= `ended with ${signal ?? `code ${code}`}`))
  while (Date.now() < deadline) {
    if (ended !== undefined)
      return { failure: `${ended}: ${readFileSync(logFile, 'utf8').trim().split('\n').slice(-3).join(' ')}` }
    const file = readPostmasterFile(folder)
    if (file?.pid === child.pid && file?.status === 'ready') return { pid: file.pid, port }
    await delay(POLL_MS)
  }
  child.kill('SIGQUIT')
  return { failure: 'it did not become ready' }
}

/** Cuts sessions; everything committed is written. Throws when the server does not end. */
export async function stopServer(folder: string, server: RunningServer, binaries: PostgresBinaries): Promise<void> {
  if (readPostmasterFile(folder)?.pid !== server.pid || !isAlive(server.pid)) return
  if (process.platform === 'win32') {
    await promisify(execFile)(binaries.pgCtl, ['stop', '-D', folder, '-m', 'fast'])
    return
  }
  process.kill(server.pid, 'SIGINT')
  const deadline = Date.now() + STOP_LIMIT_MS
  while (isAlive(server.pid)) {
    if (Date.now() > deadline) throw new Error(`The embedded database server (process ${server.pid}) does not stop`)
    await delay(POLL_MS)
  }
}

export function clientFor(folder: string, port: number, database: string): Client {
  const client = new Client({
    host: '127.0.0.1',
    port,
    database,
    user: EMBEDDED_USER,
    password: readPassword(folder),
    connectionTimeoutMillis: 10_000,
  })
  // Without a listener a connection cut by a stopping server would end this process.
  client.on('error', () => undefined)
  return client
}

async function freePort(): Promise<number> {
  return await new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => resolve(port))
    })
  })
}
