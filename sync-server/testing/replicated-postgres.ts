import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Client } from 'pg'
import { appConnection, superuserConnection } from '../db/app-role.ts'
import { createKnex } from '../db/knex-config.ts'
import { findPostgresPrograms, programIn } from '../db/embedded/postgres-binaries.ts'
import { clusterFolder, createCluster } from '../db/embedded/postgres-cluster.ts'
import { chooseRunAs, handOver } from '../db/embedded/run-as.ts'
import { startForwarder } from './proxies/port-forwarder.ts'
import { freePort } from './server-process.ts'
import type { TestDatabase } from './test-database.ts'

/**
 * Two servers of the embedded PostgreSQL: a primary, and a standby that was made from a stopped copy of its folder and
 * follows it. Both are reached by an address that can be moved, as a failover manager does.
 */
export async function startReplicatedPostgres({ isSynchronous }: { readonly isSynchronous: boolean }) {
  const programs = findPostgresPrograms()
  const closers: (() => unknown)[] = []
  const newFolder = () => {
    const dataDir = mkdtempSync(path.join(os.tmpdir(), 'beaconry-replicated-'))
    closers.push(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }))
    return dataDir
  }

  async function launch(dataDir: string, settings: readonly string[]) {
    const folder = clusterFolder(dataDir)
    const runAs = chooseRunAs(programs, dataDir)
    handOver(runAs, folder)
    const port = await freePort()
    const all = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off', ...settings]
    const args = ['-D', folder, '-p', String(port), ...all.flatMap((setting) => ['-c', setting])]
    const [command, given, asWhom] = runAs.command(programIn(programs, 'postgres'), args, folder)
    const child = spawn(command, given, { ...asWhom, stdio: 'ignore' })
    closers.push(() => end(child))
    const ask = async <T>(sql: string) => {
      const client = new Client({ connectionString: superuserConnection(folder, port) })
      client.on('error', () => undefined)
      await client.connect()
      try {
        return (await client.query(sql)).rows as T[]
      } finally {
        await client.end()
      }
    }
    await eventually(async () => (await ask('select 1')).length === 1)
    return { folder, port, child, ask }
  }

  const primaryDir = newFolder()
  createCluster(primaryDir, programs, 'nocreatedb')
  const standbyDir = newFolder()
  cpSync(clusterFolder(primaryDir), clusterFolder(standbyDir), { recursive: true })
  writeFileSync(path.join(clusterFolder(standbyDir), 'standby.signal'), '')
  const primary = await launch(primaryDir, isSynchronous ? ['synchronous_standby_names=*'] : [])
  const replication = await startForwarder(primary.port)
  closers.push(() => replication.close())
  const superuser = new URL(superuserConnection(primary.folder, replication.port))
  const standby = await launch(standbyDir, [
    `primary_conninfo=host=127.0.0.1 port=${replication.port} user=${superuser.username} password=${superuser.password}`,
  ])
  const address = await startForwarder(primary.port)
  closers.push(() => address.close())
  const connectionString = appConnection(primary.folder, address.port)

  const database: TestDatabase = {
    db: createKnex(connectionString),
    connectionString,
    drop: () => database.db.destroy(),
  }
  return {
    /** By the address that is moved. */
    database,
    /** Until the standby shows everything that was committed. */
    async caughtUp(): Promise<void> {
      const [{ lsn } = { lsn: '' }] = await primary.ask<{ lsn: string }>('select pg_current_wal_lsn()::text as lsn')
      await eventually(async () => {
        const [row] = await standby.ask<{ is: boolean }>(`select pg_last_wal_replay_lsn() >= '${lsn}'::pg_lsn as is`)
        return row?.is === true
      })
    },
    /** What is committed from now on reaches the primary alone. */
    cutReplication: () => replication.cut(),
    /** The primary is killed, the standby promoted, and the address moved to it. */
    async failOver(): Promise<void> {
      address.cut()
      await end(primary.child)
      await standby.ask('select pg_promote()')
      address.moveTo(standby.port)
    },
    /** When the first connection to the promoted server was made, in milliseconds of `performance.now`. */
    firstConnectionAt: () => address.firstConnectionAt(),
    async stop(): Promise<void> {
      for (const close of closers.toReversed()) await close()
    },
  }
}

/** SIGKILL: nothing is written or said goodbye to. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

async function eventually(isSo: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 60_000
  for (;;) {
    try {
      if (await isSo()) return
    } catch (error) {
      if (Date.now() > deadline) throw error
    }
    if (Date.now() > deadline) throw new Error('The database did not come to what was waited for')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
