import { mkdirSync, realpathSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import { appConnection, prepareDatabase } from './app-role.ts'
import { findPostgresBinaries } from './postgres-binaries.ts'
import { chooseRunAs, handOver } from './run-as.ts'
import { clusterFolder, createCluster } from './postgres-cluster.ts'
import { createPatience, DatabaseUnusable, type Patiently } from './reach-database.ts'
import {
  clientFor,
  findRunningServer,
  launchServer,
  stopServer,
  type LaunchOptions,
  type RunningServer,
} from './postgres-server.ts'

export interface EmbeddedPostgresOptions {
  /** Made if missing; the server's own folder is `postgres` below it. */
  dataDir: string
  log: (message: string) => void
  /** 'test': fast, may lose data in a power cut, and lets the role create databases. */
  durability?: 'full' | 'test'
  /** A minute by default. */
  waitMs?: number
  patiently?: Patiently
}

export interface EmbeddedPostgres {
  /** Of a role that is no superuser; the same after restarts. */
  connectionString: string
  /** A server was already running: another living process's, or left by a killed one. */
  adopted: boolean
  /** Ends the watch, and the server where no other process uses it. */
  stop(): Promise<void>
}

/** No other advisory lock of the database `postgres` may use the number. */
const USERS_LOCK = 7_326_541

/**
 * On a free port of 127.0.0.1. The first process that asks for a folder starts the server, others join it, and the last
 * that leaves stops it: each holds a lock of the server together with the others, which a killed process lets go.
 * @throws DatabaseUnusable when no server runs in time
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { log, durability = 'full', waitMs = 60_000, patiently = createPatience({ waitMs }) } = options
  mkdirSync(options.dataDir, { recursive: true })
  const dataDir = realpathSync(options.dataDir)
  const folder = clusterFolder(dataDir)
  const binaries = findPostgresBinaries()
  const runAs = chooseRunAs(binaries.folder, dataDir)
  if (runAs.loss !== null) log(runAs.loss)
  if ((await createCluster(dataDir, binaries)) === 'created') log(`made a new database folder in ${folder}`)

  const launch = { folder, binaries, runAs, durability }
  let used = await patiently(() => findOrLaunch(launch, log, waitMs))
  const { adopted, port } = used
  let isLeaving = false
  let restarting: Promise<void> | undefined
  async function restart(): Promise<void> {
    log('the database server ended unexpectedly; starting it again')
    while (!isLeaving)
      try {
        used = await findOrLaunch({ ...launch, port }, log, waitMs)
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

  let stopping: Promise<void> | undefined
  const stop = async () => {
    isLeaving = true
    await restarting
    if (await isLastUser(used.user)) await stopServer(folder, used, binaries)
    await used.user.end().catch(() => undefined)
  }
  try {
    await patiently(() => prepareDatabase(folder, used.port, { mayCreateDatabases: durability === 'test' }))
  } catch (error) {
    await stop()
    throw error
  }
  return {
    connectionString: appConnection(folder, port),
    adopted,
    stop: () => (stopping ??= stop()),
  }
}

type Launch = Omit<LaunchOptions, 'deadline'>

interface UsedServer extends RunningServer {
  readonly adopted: boolean
  /** Holds the lock of its users, and ends with the server. */
  readonly user: Client
}

async function findOrLaunch(launch: Launch, log: (message: string) => void, waitMs: number): Promise<UsedServer> {
  const { folder } = launch
  const deadline = Date.now() + waitMs
  let failure = 'it did not become ready'
  while (Date.now() < deadline) {
    const running = await findRunningServer(folder, deadline)
    // Never while a server works in there, which would lose access.
    if (!running) handOver(launch.runAs, folder)
    const server = running ?? (await launchServer({ ...launch, deadline }))
    const user = 'pid' in server ? await becomeUser(folder, server.port) : undefined
    if ('pid' in server && user) {
      log(running ? 'joined a running database server' : `started the database server on 127.0.0.1:${server.port}`)
      return { ...server, adopted: running !== undefined, user }
    }
    // Another process was faster, the port was taken, its last user stopped it, or children of a killed one still end.
    if ('failure' in server) failure = server.failure
    await delay(100)
  }
  throw new DatabaseUnusable(`The embedded database server in ${folder} did not start: ${failure}`)
}

/** Undefined where the server ends meanwhile. */
async function becomeUser(folder: string, port: number): Promise<Client | undefined> {
  const user = clientFor(folder, port, 'postgres')
  try {
    await user.connect()
    await user.query('select pg_advisory_lock_shared($1)', [USERS_LOCK])
    return user
  } catch {
    await user.end().catch(() => undefined)
    return undefined
  }
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
