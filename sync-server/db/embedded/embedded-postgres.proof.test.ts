import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { describe, expect, it } from 'vitest'
import { asSuperuser, pidOf, query, setEmbeddedStage } from '../../testing/embedded-stage.ts'
import { isAlive } from './os-process.ts'
import { clusterFolder } from './postgres-cluster.ts'
import { fullSize } from '../../testing/proof-size.ts'

const { newFolder, start, startElsewhere } = setEmbeddedStage()

async function kill(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
}

describe('the embedded database', () => {
  it('listens on loopback only, in UTF-8, with durable writes and a password nobody else reads', async () => {
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
    const kept = () => query(server, 'select name from kept').catch(() => [])
    await expect.poll(kept, { interval: 50 }).toEqual([{ name: 'Olivia' }])
    const pid = pidOf(dataDir) ?? 0
    expect(pid).not.toBe(killed)
    await server.stop()
    expect(isAlive(pid)).toBe(false)
  })

  it('is taken over when its starter was killed, and stops with who took it over', async () => {
    const dataDir = newFolder()
    const starter = await startElsewhere(dataDir)
    const pid = pidOf(dataDir) ?? 0
    await kill(starter)
    expect(isAlive(pid)).toBe(true)
    const server = await start(dataDir)
    expect(pidOf(dataDir)).toBe(pid)
    await server.stop()
    expect(isAlive(pid)).toBe(false)
  })

  it('serves processes that join and leave, and the last of them stops it', async () => {
    const dataDir = newFolder()
    const starter = await startElsewhere(dataDir)
    const pid = pidOf(dataDir) ?? 0
    const visitor = await start(dataDir)
    await visitor.stop()
    expect(isAlive(pid)).toBe(true)
    const joined = [await start(dataDir), await start(dataDir)]
    const exit = once(starter, 'exit')
    starter.send('stop')
    await exit
    expect(isAlive(pid)).toBe(true)
    await Promise.all(joined.map((server) => server.stop()))
    expect(isAlive(pid)).toBe(false)
  })

  if (fullSize) {
    it('starts again after starter and server were both killed', async () => {
      const dataDir = newFolder()
      const starter = await startElsewhere(dataDir)
      const pid = pidOf(dataDir) ?? 0
      // The server goes first and stays uncollected, a zombie, until its parent is gone as well.
      starter.kill('SIGSTOP')
      process.kill(pid, 'SIGKILL')
      const server = await start(dataDir)
      expect(pidOf(dataDir)).not.toBe(pid)
      expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }])
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
      await start(dataDir)
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
      await start(copy)
      expect(pidOf(copy)).not.toBe(pidOf(dataDir))
    })

    it('leaves nothing half made when a process dies while making the folder', async () => {
      const dataDir = newFolder()
      const abandoned = path.join(dataDir, '.postgres-build-999999-dead')
      cpSync(fileURLToPath(new URL('../schema', import.meta.url)), abandoned, { recursive: true })
      await start(dataDir)
      expect(existsSync(abandoned)).toBe(false)
    })
  }
})
