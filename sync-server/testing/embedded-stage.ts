import { execFileSync, fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { Client } from 'pg'
import { afterEach } from 'vitest'
import { superuserConnection } from '../db/app-role.ts'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../db/embedded/embedded-postgres.ts'
import { isAlive } from '../db/embedded/os-process.ts'
import { clusterFolder, readPostmasterFile } from '../db/embedded/postgres-cluster.ts'
import { unprivilegedUser } from '../db/embedded/run-as.ts'
import { programFile } from './programs.ts'

/**
 * Embedded databases in folders of their own, for the tests of the calling file; what a test has left over is stopped and removed
 * after it.
 */
export function setEmbeddedStage() {
  const folders: string[] = []
  const servers: EmbeddedPostgres[] = []
  const children: ChildProcess[] = []

  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL')
    for (const server of servers.splice(0)) await server.stop()
    for (const dataDir of folders.splice(0)) {
      const pid = pidOf(dataDir)
      if (pid !== undefined && isAlive(pid)) process.kill(pid, 'SIGKILL')
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
    }
  })

  return {
    /** A new folder, below that of temporary files unless told otherwise. */
    newFolder: (parent = os.tmpdir()) => {
      const dataDir = mkdtempSync(path.join(parent, 'beaconry-launcher-'))
      folders.push(dataDir)
      return dataDir
    },
    /** Starts the database of a folder, or takes part in it. */
    start: async (dataDir: string, log: (message: string) => void = () => undefined) => {
      const server = await startEmbeddedPostgres({ dataDir, log })
      servers.push(server)
      return server
    },
    /** The same from a process of its own, which a test can kill. */
    startElsewhere: async (dataDir: string) => {
      const launcher = pathToFileURL(programFile('embedded-postgres')).href
      const script = path.join(dataDir, 'starter.mjs')
      writeFileSync(
        script,
        `import { startEmbeddedPostgres } from ${JSON.stringify(launcher)}
         const server = await startEmbeddedPostgres({ dataDir: process.argv[2], log: () => undefined })
         process.on('message', async () => { await server.stop(); process.exit(0) })
         process.send(server.connectionString)`,
      )
      const child = fork(script, [dataDir], { execArgv: [] })
      children.push(child)
      await once(child, 'message')
      return child
    },
  }
}

/** The process that serves a folder, by what it wrote there. */
export function pidOf(dataDir: string): number | undefined {
  return readPostmasterFile(clusterFolder(dataDir))?.pid
}

/** Asks as the application does. */
export async function query({ connectionString }: EmbeddedPostgres, sql: string): Promise<unknown[]> {
  return await rowsOf(connectionString, sql)
}

/** Asks as whoever may do everything. */
export async function asSuperuser(dataDir: string, sql: string): Promise<unknown[]> {
  const folder = clusterFolder(dataDir)
  return await rowsOf(superuserConnection(folder, readPostmasterFile(folder)?.port ?? 0), sql)
}

async function rowsOf(connectionString: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

/** Root hands the server over to a user who owns nothing else; everybody else runs it themselves. */
export const serverUser = process.getuid?.() === 0 ? unprivilegedUser : process.getuid?.()

/** The user a process has towards files of this machine. */
export function userOf(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'uid=', '-p', String(pid)]).toString())
}
