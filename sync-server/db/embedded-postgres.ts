import { execFile, spawn } from 'node:child_process'
import { chmodSync, closeSync, mkdirSync, openSync, readFileSync, realpathSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { isAlive, isSameLivingProcess, processIdentity, processesWorkingIn } from './os-process.ts'
import { chooseRunAs, findPostgresBinaries, type PostgresBinaries, type RunAs } from './postgres-binaries.ts'
import {
  EMBEDDED_DATABASE,
  EMBEDDED_USER,
  clusterFolder,
  createCluster,
  readOwner,
  readPassword,
  readPostmasterFile,
  removePostmasterFile,
  writeOwner,
} from './postgres-cluster.ts'

export interface EmbeddedPostgresOptions {
  /** Folder of the application's data; made if missing. The server's own folder is `postgres` below it. */
  dataDir: string
  /** Told in plain words what happens. */
  log: (message: string) => void
  /** 'test' gives up surviving a power cut for speed. */
  durability?: 'full' | 'test'
}

export interface EmbeddedPostgres {
  connectionString: string
  /** A server was already running on this folder: of another living process, or left by one that was killed. */
  adopted: boolean
  /** Stops the server if stopping it is this process's business; else does nothing. */
  stop(): Promise<void>
}

const START_LIMIT_MS = 60_000
const POLL_MS = 15
const STOP_LIMIT_MS = 20_000

/**
 * A real PostgreSQL server on a folder, on a free port of 127.0.0.1. Several processes may ask for the same folder:
 * the first starts the server and later stops it, the others join. Who finds a server whose starter is dead takes its
 * place. Survives kill -9 of this process and of the server. Throws when no server runs within a minute.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { log } = options
  mkdirSync(options.dataDir, { recursive: true })
  const dataDir = realpathSync(options.dataDir)
  const folder = clusterFolder(dataDir)
  const binaries = findPostgresBinaries()
  const runAs = chooseRunAs()
  if ((await createCluster(dataDir, binaries, runAs)) === 'created') log(`made a new database folder in ${folder}`)
  runAs.own(folder)

  const deadline = Date.now() + START_LIMIT_MS
  let failure = 'it did not become ready'
  while (Date.now() < deadline) {
    const running = await findRunningServer(folder, deadline)
    if (running) {
      // With the starter dead nobody would ever stop the server.
      const orphan = !isSameLivingProcess(readOwner(folder) ?? '')
      if (orphan) writeOwner(folder, processIdentity(process.pid))
      log(
        orphan
          ? 'took over the database server a killed process left running'
          : 'joined the database server of another process',
      )
      return await open(folder, running, true, binaries)
    }
    const started = await launch(folder, binaries, runAs, options.durability ?? 'full', deadline)
    if ('pid' in started) {
      writeOwner(folder, processIdentity(process.pid))
      log(`started the database server on 127.0.0.1:${started.port}`)
      return await open(folder, started, false, binaries)
    }
    // A twin was faster, the port was taken, or children of a killed server are still ending: look again.
    failure = started.failure
    await delay(100)
  }
  throw new Error(`The embedded database server in ${folder} did not start: ${failure}`)
}

interface RunningServer {
  pid: number
  port: number
}

/**
 * The server that holds this folder, once it takes connections; undefined when there is none. Clears a postmaster.pid
 * that names a zombie or somebody else's process, for PostgreSQL refuses to start while that id exists.
 */
async function findRunningServer(folder: string, deadline: number): Promise<RunningServer | undefined> {
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
    // Starting, recovering or stopping; or children of a killed server have not noticed yet.
    await delay(POLL_MS * 2)
  }
  return undefined
}

/** Whether the server on this port answers to our password and works on our folder, not on a copy of it. */
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

/** Process ids are reused: after a restart of the machine the id in postmaster.pid may belong to anything. */
async function isPostgresOf(pid: number, folder: string): Promise<boolean> {
  if (process.platform === 'linux') return processesWorkingIn(folder).includes(pid)
  if (process.platform === 'win32') return true
  const { stdout } = await promisify(execFile)('ps', ['-p', String(pid), '-o', 'command=']).catch(() => ({
    stdout: '',
  }))
  return stdout.includes(folder)
}

async function launch(
  folder: string,
  binaries: PostgresBinaries,
  runAs: RunAs,
  durability: 'full' | 'test',
  deadline: number,
): Promise<RunningServer | { failure: string }> {
  const port = await freePort()
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=200',
    'timezone=UTC',
    'log_timezone=UTC',
    ...(durability === 'test' ? ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'] : []),
  ]
  const [command, args] = runAs.command(binaries.postgres, [
    '-D',
    folder,
    '-p',
    String(port),
    ...settings.flatMap((setting) => ['-c', setting]),
  ])
  const logFile = `${folder}.log`
  const output = openSync(logFile, 'w', 0o600)
  chmodSync(logFile, 0o600)
  // A session of its own: Ctrl+C in a terminal must not stop the database before the server has ended its work.
  const child = spawn(command, args, { ...runAs.spawnOptions, detached: true, stdio: ['ignore', output, output] })
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

async function open(
  folder: string,
  server: RunningServer,
  adopted: boolean,
  binaries: PostgresBinaries,
): Promise<EmbeddedPostgres> {
  await createDatabaseIfMissing(folder, server.port)
  const connectionString = `postgres://${EMBEDDED_USER}:${readPassword(folder)}@127.0.0.1:${server.port}/${EMBEDDED_DATABASE}`
  let stopping: Promise<void> | undefined
  const stop = () => (stopping ??= stopIfOurs(folder, server, binaries))
  return { connectionString, adopted, stop }
}

async function createDatabaseIfMissing(folder: string, port: number): Promise<void> {
  const client = clientFor(folder, port, 'postgres')
  await client.connect()
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [EMBEDDED_DATABASE])
    if (rowCount === 0) await client.query(`create database ${EMBEDDED_DATABASE}`)
  } catch (error) {
    // 42P04, or 23505 in a closer race: a twin has just made it.
    if (!['42P04', '23505'].includes((error as { code?: string }).code ?? '')) throw error
  } finally {
    await client.end()
  }
}

async function stopIfOurs(folder: string, server: RunningServer, binaries: PostgresBinaries): Promise<void> {
  if (readOwner(folder) !== processIdentity(process.pid)) return
  if (readPostmasterFile(folder)?.pid !== server.pid || !isAlive(server.pid)) return
  if (process.platform === 'win32') {
    await promisify(execFile)(binaries.pgCtl, ['stop', '-D', folder, '-m', 'fast'])
    return
  }
  // SIGINT is PostgreSQL's fast shutdown: sessions are cut, everything committed is written.
  process.kill(server.pid, 'SIGINT')
  const deadline = Date.now() + STOP_LIMIT_MS
  while (isAlive(server.pid)) {
    if (Date.now() > deadline) throw new Error(`The embedded database server (process ${server.pid}) does not stop`)
    await delay(POLL_MS)
  }
}

function clientFor(folder: string, port: number, database: string): Client {
  const client = new Client({
    host: '127.0.0.1',
    port,
    database,
    user: EMBEDDED_USER,
    password: readPassword(folder),
    connectionTimeoutMillis: 3_000,
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
