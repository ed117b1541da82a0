import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { passwordFile, roleStatements, SUPERUSER } from '../app-role.ts'
import { isAlive } from './os-process.ts'
import { programIn } from './postgres-binaries.ts'
import { chooseRunAs, handOver, namedUser, runToEnd } from './run-as.ts'

export function clusterFolder(dataDir: string): string {
  return path.join(dataDir, 'postgres')
}

/**
 * Makes a cluster with role and database. It is built next to its folder and moved there whole, so that neither a
 * killed process nor a race leaves a broken folder.
 * @returns whether it was missing
 */
export function createCluster(dataDir: string, programs: string, createdb: 'createdb' | 'nocreatedb'): boolean {
  const folder = clusterFolder(dataDir)
  const exists = () => existsSync(path.join(folder, 'PG_VERSION'))
  if (exists()) return false
  const runAs = chooseRunAs(programs, dataDir, namedUser)
  removeAbandonedBuilds(dataDir)
  const scaffold = path.join(dataDir, `.postgres-build-${process.pid}-${randomBytes(4).toString('hex')}`)
  const build = path.join(scaffold, 'cluster')
  const pwfile = path.join(scaffold, 'password')
  try {
    mkdirSync(build, { recursive: true, mode: 0o700 })
    writeFileSync(pwfile, randomBytes(24).toString('base64url'), { mode: 0o600 })
    handOver(runAs, scaffold)
    const settings = [
      `--pgdata=${build}`,
      `--username=${SUPERUSER}`,
      `--pwfile=${pwfile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--no-instructions',
    ]
    runToEnd(runAs, programIn(programs, 'initdb'), settings, scaffold)
    renameSync(pwfile, passwordFile(build))
    const single = ['--single', '-D', build, '-c', 'exit_on_error=on', 'postgres']
    runToEnd(runAs, programIn(programs, 'postgres'), single, scaffold, roleStatements(build, createdb))
    renameSync(build, folder)
    return true
  } catch (error) {
    // Another process was faster.
    if (exists()) return false
    throw error
  } finally {
    rmSync(scaffold, { recursive: true, force: true })
  }
}

function removeAbandonedBuilds(dataDir: string): void {
  for (const name of readdirSync(dataDir)) {
    const builder = /^\.postgres-build-(\d+)-/.exec(name)?.[1]
    if (builder !== undefined && !isAlive(Number(builder)))
      rmSync(path.join(dataDir, name), { recursive: true, force: true })
  }
}

const postmasterFile = (folder: string) => path.join(folder, 'postmaster.pid')

export function readPostmasterFile(folder: string): { pid: number; port: number; status: string } | undefined {
  let text: string
  try {
    text = readFileSync(postmasterFile(folder), 'utf8')
  } catch {
    return undefined
  }
  const lines = text.split('\n')
  return {
    pid: Math.abs(Number.parseInt(lines[0] ?? '', 10)) || 0,
    port: Number.parseInt(lines[3] ?? '', 10) || 0,
    status: (lines[7] ?? '').trim(),
  }
}

/**
 * Removes the file only when no process works in the folder, and unless another process has written its own by then.
 */
export function removePostmasterFile(folder: string, pid: number): void {
  if (readPostmasterFile(folder)?.pid === pid) rmSync(postmasterFile(folder), { force: true })
}
