import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { asSuperuser, pidOf, query, serverUser, setEmbeddedStage, userOf } from '../../testing/embedded-stage.ts'
import { findPostgresPrograms } from './postgres-binaries.ts'
import { clusterFolder } from './postgres-cluster.ts'
import { chooseRunAs, unprivilegedUser } from './run-as.ts'
import { fullSize } from '../../testing/proof-size.ts'

const { newFolder, start } = setEmbeddedStage()

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

describe('the embedded database', () => {
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

  if (fullSize) {
    it('works below the home folder, which nobody else may enter', async () => {
      const dataDir = newFolder(os.homedir())
      const server = await start(dataDir)
      expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }])
      expect(statSync(dataDir).uid).toBe(process.getuid?.())
      expect(statSync(clusterFolder(dataDir)).uid).toBe(serverUser)
      expect(userOf(pidOf(dataDir) ?? 0)).toBe(serverUser)
    })

    it('says so where root cannot become another user, works all the same, and mends later', async () => {
      const dataDir = newFolder(newFolder())
      const said: string[] = []
      const server = await withUnshareOf('--user', () => start(dataDir, (message) => void said.push(message)))
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
      cpSync(findPostgresPrograms(), programs, { recursive: true, verbatimSymlinks: true })
      const dataDir = path.join(shut, 'data')
      mkdirSync(dataDir)
      const runAs = chooseRunAs(programs, dataDir)
      const [command, args, options] = runAs.command(path.join(programs, 'bin', 'postgres'), ['--version'], dataDir)
      expect(execFileSync(command, args, options as object).toString()).toContain('PostgreSQL')
      expect(runAs.owner).toBe(process.getuid?.() === 0 ? unprivilegedUser : null)
    })
  }
})
