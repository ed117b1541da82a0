import { execFileSync, fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded-postgres.ts'
import { isAlive } from './os-process.ts'
import { findPostgresBinaries } from './postgres-binaries.ts'
import { clusterFolder, createCluster, readPostmasterFile, writeOwner } from './postgres-cluster.ts'
import { clientFor, launchServer, stopServer } from './postgres-server.ts'
import { asRootByAnotherName, chooseRunAs, unprivilegedUser, type RunAs } from './run-as.ts'

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

function newFolder(parent = os.tmpdir()): string {
  const dataDir = mkdtempSync(path.join(parent, 'beaconry-launcher-'))
  folders.push(dataDir)
  return dataDir
}

async function start(dataDir: string): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir, log: () => undefined })
  servers.push(server)
  return server
}

/** Starts the server from a process of its own, which a test can kill. */
async function startElsewhere(dataDir: string): Promise<ChildProcess> {
  const launcher = new URL('./embedded-postgres.ts', import.meta.url).href
  const script = path.join(dataDir, 'starter.mjs')
  writeFileSync(
    script,
    `import { startEmbeddedPostgres } from ${JSON.stringify(launcher)}
     const server = await startEmbeddedPostgres({ dataDir: process.argv[2], log: () => undefined })
     process.on('message', async () => { await server.stop(); process.exit(0) })
     process.send(server.connectionString)`,
  )
  const child = fork(script, [dataDir], {
    execArgv: ['--import', import.meta.resolve('tsx')],
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
  })
  children.push(child)
  await once(child, 'message')
  return child
}

async function kill(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
}

function pidOf(dataDir: string): number | undefined {
  return readPostmasterFile(clusterFolder(dataDir))?.pid
}

async function query(server: EmbeddedPostgres, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: server.connectionString })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

/** Root hands the server over to a user who owns nothing else; everybody else runs it themselves. */
const serverUser = process.getuid?.() === 0 ? unprivilegedUser : process.getuid?.()

/** As on a machine whose `unshare` can do only one thing. */
async function withUnshareOf<T>(what: string, work: () => Promise<T>): Promise<T> {
  const tools = newFolder()
  const real = execFileSync('sh', ['-c', 'command -v unshare']).toString().trim()
  writeFileSync(path.join(tools, 'unshare'), `#!/bin/sh\ntest "$1" = ${what} && exec ${real} "$@"\nexit 1\n`, {
    mode: 0o755,
  })
  vi.stubEnv('PATH', `${tools}:${process.env['PATH']}`)
  try {
    return await work()
  } finally {
    vi.unstubAllEnvs()
  }
}

/** The user a process has towards files of this machine. */
function userOf(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'uid=', '-p', String(pid)]).toString())
}

async function asSuperuser(dataDir: string, sql: string, database = 'postgres'): Promise<unknown[]> {
  const folder = clusterFolder(dataDir)
  const client = clientFor(folder, readPostmasterFile(folder)?.port ?? 0, database)
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

describe('the embedded database', () => {
  it('keeps its data over a stop and a start', async () => {
    const dataDir = newFolder()
    const first = await start(dataDir)
    expect(first.adopted).toBe(false)
    await query(first, `create table kept as select 'Olivia' as name`)
    await first.stop()
    const second = await start(dataDir)
    expect(second.adopted).toBe(false)
    expect(await query(second, 'select name from kept')).toEqual([{ name: 'Olivia' }])
  })

  it('listens on loopback only, in UTF-8, with durable writes, its password unreadable for others', async () => {
    const dataDir = newFolder()
    const server = await start(dataDir)
    const rows = await asSuperuser(
      dataDir,
      `select name, setting from pg_settings where name in
      ('listen_addresses', 'unix_socket_directories', 'server_encoding', 'fsync', 'synchronous_commit') order by name`,
    )
    expect(rows).toEqual([
      { name: 'fsync', setting: 'on' },
      { name: 'listen_addresses', setting: '127.0.0.1' },
      { name: 'server_encoding', setting: 'UTF8' },
      { name: 'synchronous_commit', setting: 'on' },
      { name: 'unix_socket_directories', setting: '' },
    ])
    expect(statSync(path.join(clusterFolder(dataDir), 'beaconry.password')).mode & 0o777).toBe(0o600)
    const wrong = new Client({ connectionString: server.connectionString.replace(/:[^:@]+@/, ':guess@') })
    await expect(wrong.connect()).rejects.toThrow('password authentication failed')
  })

  it('comes back by itself, on its port and with all committed data, after it was killed', async () => {
    const dataDir = newFolder()
    const server = await start(dataDir)
    await query(server, `create table kept as select 'Olivia' as name`)
    const killed = pidOf(dataDir) ?? 0
    process.kill(killed, 'SIGKILL')
    await vi.waitFor(async () => expect(await query(server, 'select name from kept')).toEqual([{ name: 'Olivia' }]), {
      timeout: 20_000,
      interval: 50,
    })
    const pid = pidOf(dataDir) ?? 0
    expect(pid).not.toBe(killed)
    await server.stop()
    expect(isAlive(pid)).toBe(false)
  })

  it('is kept alive by who joined it when its starter stops it', async () => {
    const dataDir = newFolder()
    const starter = await startElsewhere(dataDir)
    const joined = await start(dataDir)
    const stopped = pidOf(dataDir) ?? 0
    starter.send('stop')
    const answers = () => vi.waitFor(() => query(joined, 'select 1 as one'), { timeout: 20_000, interval: 50 })
    await vi.waitFor(() => expect(isAlive(stopped)).toBe(false), { timeout: 20_000 })
    expect(await answers()).toEqual([{ one: 1 }])
    const pid = pidOf(dataDir) ?? 0
    await joined.stop()
    expect(isAlive(pid)).toBe(false)
  })

  it('is taken over when its starter was killed, and stops with who took it over', async () => {
    const dataDir = newFolder()
    const starter = await startElsewhere(dataDir)
    const pid = pidOf(dataDir) ?? 0
    await kill(starter)
    expect(isAlive(pid)).toBe(true)
    const server = await start(dataDir)
    expect(server.adopted).toBe(true)
    expect(pidOf(dataDir)).toBe(pid)
    await server.stop()
    expect(isAlive(pid)).toBe(false)
  })

  it('starts again after starter and server were both killed', async () => {
    const dataDir = newFolder()
    const starter = await startElsewhere(dataDir)
    const pid = pidOf(dataDir) ?? 0
    // The server goes first and stays uncollected, a zombie, until its parent is gone as well.
    starter.kill('SIGSTOP')
    process.kill(pid, 'SIGKILL')
    const server = await start(dataDir)
    expect(server.adopted).toBe(false)
    expect(pidOf(dataDir)).not.toBe(pid)
    expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('serves a second process, and only its starter stops it', async () => {
    const dataDir = newFolder()
    const starter = await startElsewhere(dataDir)
    const pid = pidOf(dataDir) ?? 0
    const second = await start(dataDir)
    expect(second.adopted).toBe(true)
    await second.stop()
    expect(isAlive(pid)).toBe(true)
    const exit = once(starter, 'exit')
    starter.send('stop')
    await exit
    expect(isAlive(pid)).toBe(false)
  })

  it('starts once when two processes find an empty folder together', async () => {
    const dataDir = newFolder()
    const [one, two] = await Promise.all([start(dataDir), startElsewhere(dataDir)])
    expect(await query(one, `select count(*)::int as count from pg_database where datname = 'beaconry'`)).toEqual([
      { count: 1 },
    ])
    expect(two.exitCode).toBeNull()
  })

  it('starts when the process id of its last run belongs to another program now', async () => {
    const dataDir = newFolder()
    const first = await start(dataDir)
    const file = path.join(clusterFolder(dataDir), 'postmaster.pid')
    const text = readFileSync(file, 'utf8')
    await first.stop()
    writeFileSync(file, text.replace(/^\d+/, String(process.ppid)))
    const second = await start(dataDir)
    expect(second.adopted).toBe(false)
    expect(pidOf(dataDir)).not.toBe(process.ppid)
  })

  it('starts on a copy of a folder whose original is running', async () => {
    const dataDir = newFolder()
    const first = await start(dataDir)
    await first.stop()
    const copy = newFolder()
    cpSync(clusterFolder(dataDir), clusterFolder(copy), { recursive: true })
    await start(dataDir)
    cpSync(path.join(clusterFolder(dataDir), 'postmaster.pid'), path.join(clusterFolder(copy), 'postmaster.pid'))
    const second = await start(copy)
    expect(second.adopted).toBe(false)
    expect(pidOf(copy)).not.toBe(pidOf(dataDir))
  })

  it('works below the home folder, which nobody else may enter', async () => {
    const dataDir = newFolder(os.homedir())
    const server = await start(dataDir)
    expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(statSync(dataDir).uid).toBe(process.getuid?.())
    expect(statSync(clusterFolder(dataDir)).uid).toBe(serverUser)
    expect(userOf(pidOf(dataDir) ?? 0)).toBe(serverUser)
  })

  it('gives the application a role that owns its database and may do nothing beyond it', async () => {
    const dataDir = newFolder()
    const server = await start(dataDir)
    const [role] = await query(
      server,
      `select rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls, pg_get_userbyid(datdba) = current_user as owns
       from pg_roles, pg_database where rolname = current_user and datname = current_database()`,
    )
    expect(role).toEqual({
      rolsuper: false,
      rolcreaterole: false,
      rolcreatedb: false,
      rolreplication: false,
      rolbypassrls: false,
      owns: true,
    })
    await query(server, 'create table mine (id int); drop table mine')
    for (const beyond of [
      `copy (select 1) to program 'id'`,
      `copy (select 1) to '${dataDir}/written'`,
      `select pg_read_file('postgresql.conf')`,
      `alter system set log_statement = 'all'`,
      'set role beaconry',
      'create role another',
      'create database another',
    ])
      await expect(query(server, beyond), beyond).rejects.toMatchObject({ code: '42501' })
  })

  it.each([
    ['a folder others may not enter', 0o700],
    ['a folder others may enter', 0o755],
  ])('runs in %s as somebody who can do nothing with files but its own, whoever starts it', async (_, mode) => {
    const dataDir = newFolder()
    chmodSync(dataDir, mode)
    await start(dataDir)
    expect(userOf(pidOf(dataDir) ?? 0)).toBe(serverUser)
    const secret = path.join(dataDir, 'secret')
    writeFileSync(secret, 'for the one who runs Beaconry', { mode: 0o600 })
    const read = asSuperuser(dataDir, `create temporary table t (line text); copy t from program 'cat ${secret}'`)
    if (serverUser === process.getuid?.()) await expect(read).resolves.toBeDefined()
    else await expect(read).rejects.toThrow('failed')
  })

  it('says so where the machine lets root become nobody else, works all the same, and is mended once it does', async () => {
    const dataDir = newFolder(newFolder())
    const said: string[] = []
    const server = await withUnshareOf('--user', () =>
      startEmbeddedPostgres({ dataDir, log: (message) => void said.push(message) }),
    )
    servers.push(server)
    await query(server, `create table kept as select 'Olivia' as name`)
    expect(userOf(pidOf(dataDir) ?? 0)).toBe(process.getuid?.())
    expect(said.filter((message) => message.includes('root’s rights'))).toHaveLength(process.getuid?.() === 0 ? 1 : 0)
    await server.stop()
    expect(await query(await start(dataDir), 'select name from kept')).toEqual([{ name: 'Olivia' }])
    expect(userOf(pidOf(dataDir) ?? 0)).toBe(serverUser)
  })

  it('needs no namespace where nothing but its own folder is shut, as in a container', async () => {
    const dataDir = newFolder()
    const server = await withUnshareOf('nothing', () => start(dataDir))
    expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(userOf(pidOf(dataDir) ?? 0)).toBe(serverUser)
    expect(statSync(dataDir).mode & 0o066).toBe(0)
  })

  it('works where its programs and its folder are both below a folder nobody else may enter', async () => {
    const shut = newFolder(os.homedir())
    const programs = path.join(shut, 'deep', 'native')
    cpSync(findPostgresBinaries().folder, programs, { recursive: true, verbatimSymlinks: true })
    const dataDir = path.join(shut, 'data')
    mkdirSync(dataDir)
    const runAs = chooseRunAs(programs, dataDir)
    const [command, args, options] = runAs.command(path.join(programs, 'bin', 'postgres'), ['--version'], dataDir)
    expect(execFileSync(command, args, options as object).toString()).toContain('PostgreSQL')
    expect(runAs.owner).toBe(process.getuid?.() === 0 ? unprivilegedUser : null)
  })

  it.each(['was stopped', 'was left running by a starter that was killed'])(
    'converts the folder of an earlier version, whose application was the superuser and which %s',
    async (how) => {
      const dataDir = realpathSync(newFolder())
      const folder = clusterFolder(dataDir)
      const binaries = findPostgresBinaries()
      const before: RunAs =
        process.getuid?.() === 0
          ? asRootByAnotherName
          : { ...asRootByAnotherName, command: (...it) => [it[0], [...it[1]], {}] }
      const deadline = Date.now() + 20_000
      await createCluster(dataDir, binaries, { ...before, owner: null })
      const old = await launchServer({ folder, binaries, runAs: before, durability: 'full', deadline })
      if (!('pid' in old)) throw new Error(old.failure)
      expect(userOf(old.pid)).toBe(process.getuid?.())
      await asSuperuser(dataDir, 'create database beaconry')
      await asSuperuser(
        dataDir,
        `create sequence numbers; create table kept (id int default nextval('numbers'), own int generated by default as identity, name text);
         alter sequence numbers owned by kept.id; create sequence loose; create view seen as select name from kept;
         create function says() returns text language sql as $$ select 'hello' $$; insert into kept (name) values ('Olivia')`,
        'beaconry',
      )
      writeOwner(folder, '999999:1')
      if (how === 'was stopped') await stopServer(folder, old, binaries)
      const server = await start(dataDir)
      expect(userOf(pidOf(dataDir) ?? 0)).toBe(serverUser)
      expect(statSync(path.join(folder, 'PG_VERSION')).uid).toBe(serverUser)
      await query(
        server,
        `insert into kept (name) values ('Otto'); alter table kept add column more int; select nextval('loose');
           create or replace function says() returns text language sql as $$ select 'hi' $$; create or replace view seen as select name from kept`,
      )
      expect(await query(server, 'select id, own, name from kept order by id')).toEqual([
        { id: 1, own: 1, name: 'Olivia' },
        { id: 2, own: 2, name: 'Otto' },
      ])
      await query(server, 'drop schema public cascade; create schema public')
      await server.stop()
      const again = await start(dataDir)
      expect(again.adopted).toBe(false)
    },
  )

  it('follows no link that stands where a file of its own should be', async () => {
    const dataDir = newFolder()
    const first = await start(dataDir)
    await first.stop()
    const precious = path.join(dataDir, 'precious')
    writeFileSync(precious, 'untouched')
    symlinkSync(precious, path.join(clusterFolder(dataDir), 'beaconry.owner'))
    await start(dataDir)
    expect(readFileSync(precious, 'utf8')).toBe('untouched')
    expect(statSync(precious).uid).toBe(process.getuid?.())
  })

  it('leaves nothing half made when a process dies while making the folder', async () => {
    const dataDir = newFolder()
    const abandoned = path.join(dataDir, '.postgres-build-999999-dead')
    cpSync(fileURLToPath(new URL('./migrations', import.meta.url)), abandoned, { recursive: true })
    await start(dataDir)
    expect(existsSync(abandoned)).toBe(false)
  })
})
