import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, closeSync, mkdirSync, openSync, readFileSync, realpathSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Client } from 'pg'
import { appConnection, superuserConnection } from '../app-role.ts'
import { isAlive, isInUse } from './os-process.ts'
import { findPostgresPrograms, programIn } from './postgres-binaries.ts'
import { clusterFolder, createCluster, readPostmasterFile, removePostmasterFile } from './postgres-cluster.ts'
import { connectTo, DatabaseUnusable, type Patiently } from '../reach-database.ts'
import { asRootByAnotherName, chooseRunAs, handOver, type RunAs } from './run-as.ts'

export interface EmbeddedPostgresOptions {
  /** Made if missing; the server's own folder is `postgres` below it. */
  dataDir: string
  log: (message: string) => void
  /** 'test': fast, may lose data in a power cut, and lets the role create databases. */
  durability?: 'full' | 'test'
  /** The default is a minute. */
  waitMs?: number
  patiently?: Patiently
}

export interface EmbeddedPostgres {
  /** The role is no superuser, and the address is the same after restarts. */
  connectionString: string
  /** Ends the watch, and the server where no other process uses it. */
  stop(): Promise<void>
}

interface Cluster {
  readonly folder: string
  readonly programs: string
  readonly runAs: RunAs
  readonly durability: 'full' | 'test'
  readonly log: (message: string) => void
  readonly waitMs: number
}

interface UsedServer {
  readonly pid: number
  readonly port: number
  /** Holds the lock of its users, and ends with the server. */
  readonly user: Client
}

/** No other advisory lock of the database `postgres` may use the number. */
const USERS_LOCK = 7_326_541
const POLL_MS = 15
const STOP_LIMIT_MS = 20_000

/**
 * Starts it on a free port of 127.0.0.1. The first process that asks for a folder starts the server, others join it,
 * and the last that leaves stops it: each holds a lock of the server together with the others, which a killed process
 * lets go.
 * @throws DatabaseUnusable when no server runs in time
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { log, durability = 'full', waitMs = 60_000, patiently = (work) => work() } = options
  mkdirSync(options.dataDir, { recursive: true })
  const dataDir = realpathSync(options.dataDir)
  const folder = clusterFolder(dataDir)
  const programs = findPostgresPrograms()
  const runAs = chooseRunAs(programs, dataDir)
  if (runAs === asRootByAnotherName)
    log(
      'the embedded database runs with root’s rights over files, for this machine allows nothing else; start Beaconry as an ordinary user instead',
    )
  if (createCluster(dataDir, programs, durability === 'test' ? 'createdb' : 'nocreatedb'))
    log(`made a new database folder in ${folder}`)

  const cluster: Cluster = { folder, programs, runAs, durability, log, waitMs }
  let used = await patiently(() => joinOrLaunch(cluster))
  const { port } = used
  let isLeaving = false
  let restarting: Promise<void> | undefined
  async function restart(): Promise<void> {
    log('the database server ended unexpectedly; starting it again')
    while (!isLeaving)
      try {
        used = await joinOrLaunch(cluster, port)
        return watch()
      } catch (error) {
        log((error as Error).message)
      }
  }
  const watch = () =>
    void used.user.once('end', () => {
      if (!isLeaving) restarting = restart()
    })
  watch()

  return {
    connectionString: appConnection(folder, port),
    stop: async () => {
      isLeaving = true
      await restarting
      await leave(used, cluster)
    },
  }
}

async function joinOrLaunch(cluster: Cluster, port?: number): Promise<UsedServer> {
  const { folder, log } = cluster
  const deadline = Date.now() + cluster.waitMs
  let launched: Launched | undefined
  let failure = 'it did not become ready'
  while (Date.now() < deadline) {
    const file = readPostmasterFile(folder)
    if (file && isInUse(folder, file.pid)) {
      const user = file.status === 'ready' ? await becomeUser(folder, file.port) : undefined
      if (user) {
        const isOurs = file.pid === launched?.child.pid
        log(isOurs ? `started the database server on 127.0.0.1:${file.port}` : 'joined a running database server')
        return { ...file, user }
      }
    } else if (!launched || launched.ended !== undefined) {
      // PostgreSQL refuses to start while the file names a zombie or, after a reboot, another program's process.
      if (file) removePostmasterFile(folder, file.pid)
      // The files are never handed over while a server works in there, which would lose access.
      handOver(cluster.runAs, folder)
      launched = launch(cluster, port ?? (await freePort()))
    }
    await delay(POLL_MS)
    // The port was taken, another process was faster, or children of a killed server still end.
    if (launched?.ended !== undefined) failure = `${launched.ended}: ${lastWords(folder)}`
  }
  launched?.child.kill('SIGQUIT')
  throw new DatabaseUnusable(`The embedded database server in ${folder} did not start: ${failure}`)
}

/** Returns undefined if the server ends, or belongs to a folder of which this one is a copy. */
async function becomeUser(folder: string, port: number): Promise<Client | undefined> {
  let user: Client | undefined
  try {
    user = await connectTo(superuserConnection(folder, port), 'beaconry-launcher')
    const { rows } = await user.query<{ data_directory: string }>('show data_directory')
    if (realpathSync(rows[0]?.data_directory ?? '') === folder) {
      await user.query('select pg_advisory_lock_shared($1)', [USERS_LOCK])
      return user
    }
  } catch {
    // The loop looks again.
  }
  await user?.end().catch(() => undefined)
  return undefined
}

interface Launched {
  readonly child: ChildProcess
  ended?: string
}

const logFileOf = (folder: string) => `${folder}.log`

const lastWords = (folder: string) => readFileSync(logFileOf(folder), 'utf8').trim().split('\n').slice(-3).join(' ')

function launch({ folder, programs, runAs, durability }: Cluster, port: number): Launched {
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=200',
    'timezone=UTC',
    'log_timezone=UTC',
    ...(durability === 'test' ? ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'] : []),
  ]
  const [command, args, asWhom] = runAs.command(
    programIn(programs, 'postgres'),
    ['-D', folder, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
    folder,
  )
  const output = openSync(logFileOf(folder), 'w', 0o600)
  chmodSync(logFileOf(folder), 0o600)
  // A session of its own: Ctrl+C must not stop the database before this server has ended its work.
  const child = spawn(command, args, { ...asWhom, detached: true, stdio: ['ignore', output, output] })
  closeSync(output)
  child.unref()
  const launched: Launched = { child }
  child.once('error', (error) => (launched.ended = error.message))
  child.once('exit', (code, signal) => (launched.ended ??= `ended with ${signal ?? `code ${code}`}`))
  return launched
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  await promisify(probe.close.bind(probe))()
  return port
}

async function leave({ user, pid }: UsedServer, { folder, programs }: Cluster): Promise<void> {
  if (await isLastUser(user)) await stopServer(folder, pid, programs)
  await user.end().catch(() => undefined)
}

/** Gives the lock up; the last user gets it alone, so that no process joins a server that is being stopped. */
async function isLastUser(user: Client): Promise<boolean> {
  try {
    await user.query('select pg_advisory_unlock_shared($1)', [USERS_LOCK])
    const { rows } = await user.query<{ isLast: boolean }>('select pg_try_advisory_lock($1) as "isLast"', [USERS_LOCK])
    return rows[0]?.isLast === true
  } catch {
    return false
  }
}

/** Cuts sessions; everything committed is written. Throws when the server does not end. */
async function stopServer(folder: string, pid: number, programs: string): Promise<void> {
  if (readPostmasterFile(folder)?.pid !== pid || !isAlive(pid)) return
  if (process.platform === 'win32') {
    await promisify(execFile)(programIn(programs, 'pg_ctl'), ['stop', '-D', folder, '-m', 'fast'])
    return
  }
  process.kill(pid, 'SIGINT')
  const deadline = Date.now() + STOP_LIMIT_MS
  while (isAlive(pid)) {
    if (Date.now() > deadline) throw new Error(`The embedded database server (process ${pid}) does not stop`)
    await delay(POLL_MS)
  }
}
