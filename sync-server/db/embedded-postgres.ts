import { mkdirSync, realpathSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { isAlive, isSameLivingProcess, processIdentity } from './os-process.ts'
import { appConnection, prepareDatabase } from './app-role.ts'
import { findPostgresBinaries } from './postgres-binaries.ts'
import { chooseRunAs, handOver } from './run-as.ts'
import { clusterFolder, createCluster, readOwner, removeOwner, writeOwner } from './postgres-cluster.ts'
import { createPatience, DatabaseUnusable, type Patiently } from './reach-database.ts'
import {
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
  /** Ends the watch, and the server if this process is responsible for it. */
  stop(): Promise<void>
}

const usualWaitMs = 60_000
const WATCH_MS = 200

/**
 * On a free port of 127.0.0.1. The first process that asks for a folder starts and stops the server, others join; one
 * that finds the starter dead replaces it.
 * @throws DatabaseUnusable when no server runs in time
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { log, durability = 'full', waitMs = usualWaitMs, patiently = createPatience({ waitMs }) } = options
  mkdirSync(options.dataDir, { recursive: true })
  const dataDir = realpathSync(options.dataDir)
  const folder = clusterFolder(dataDir)
  const binaries = findPostgresBinaries()
  const runAs = chooseRunAs(binaries.folder, dataDir)
  if (runAs.loss !== null) log(runAs.loss)
  if ((await createCluster(dataDir, binaries)) === 'created') log(`made a new database folder in ${folder}`)

  const launch = { folder, binaries, runAs, durability }
  const { server, adopted } = await patiently(() => findOrLaunch(launch, log, waitMs))
  const watch = watchServer(launch, server, log)
  let stopping: Promise<void> | undefined
  const stop = async () => {
    const last = await watch.end()
    if (readOwner(folder) !== processIdentity(process.pid)) return
    await stopServer(folder, last, binaries)
    removeOwner(folder)
  }
  try {
    await patiently(() => prepareDatabase(folder, server.port, { mayCreateDatabases: durability === 'test' }))
  } catch (error) {
    await stop()
    throw error
  }
  return {
    connectionString: appConnection(folder, server.port),
    adopted,
    stop: () => (stopping ??= stop()),
  }
}

type Launch = Omit<LaunchOptions, 'deadline'>

async function findOrLaunch(
  launch: Launch,
  log: (message: string) => void,
  waitMs = usualWaitMs,
): Promise<{ server: RunningServer; adopted: boolean }> {
  const { folder } = launch
  const deadline = Date.now() + waitMs
  let failure = 'it did not become ready'
  while (Date.now() < deadline) {
    const running = await findRunningServer(folder, deadline)
    if (running) {
      const isOurs = takeOverIfOrphaned(folder)
      log(isOurs ? 'took over a running database server' : 'joined a running database server')
      return { server: running, adopted: true }
    }
    // Never while a server works in there, which would lose access.
    handOver(launch.runAs, folder)
    const started = await launchServer({ ...launch, deadline })
    if ('pid' in started) {
      writeOwner(folder, processIdentity(process.pid))
      log(`started the database server on 127.0.0.1:${started.port}`)
      return { server: started, adopted: false }
    }
    // Another process was faster, the port was taken, or children of a killed server are still ending.
    failure = started.failure
    await delay(100)
  }
  throw new DatabaseUnusable(`The embedded database server in ${folder} did not start: ${failure}`)
}

/** With its starter dead no process would ever stop the server. */
function takeOverIfOrphaned(folder: string): boolean {
  if (isSameLivingProcess(readOwner(folder) ?? '')) return false
  writeOwner(folder, processIdentity(process.pid))
  return true
}

/** Restarts the server on its port until `end`, which answers the server that runs last. */
function watchServer(
  launch: Launch,
  first: RunningServer,
  log: (message: string) => void,
): { end(): Promise<RunningServer> } {
  let server = first
  let restart: Promise<void> | undefined
  const look = () => {
    if (restart) return
    takeOverIfOrphaned(launch.folder)
    if (isAlive(server.pid) || readOwner(launch.folder) !== processIdentity(process.pid)) return
    log('the database server ended unexpectedly; starting it again')
    restart = findOrLaunch({ ...launch, port: first.port }, log)
      .then((found) => void (server = found.server))
      .catch((error: Error) => log(error.message))
      .finally(() => (restart = undefined))
  }
  const timer = setInterval(look, WATCH_MS)
  timer.unref()
  return {
    end: async () => {
      clearInterval(timer)
      await restart
      return server
    },
  }
}
