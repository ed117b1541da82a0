import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { isAlive } from './os-process.ts'
import { programIn } from './postgres-binaries.ts'
import { chooseRunAs, handOver, namedUser } from './run-as.ts'

/** The application never connects as it. */
export const SUPERUSER = 'beaconry'

const PASSWORD_FILE = 'beaconry.password'

export function clusterFolder(dataDir: string): string {
  return path.join(dataDir, 'postgres')
}

/**
 * Built beside its folder and moved there whole: neither a killed process nor a race leaves a broken folder.
 * @returns whether it was missing
 */
export async function createCluster(dataDir: string, programs: string): Promise<boolean> {
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
    const [command, args, options] = runAs.command(
      programIn(programs, 'initdb'),
      [
        `--pgdata=${build}`,
        `--username=${SUPERUSER}`,
        `--pwfile=${pwfile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        '--locale=C',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--no-instructions',
      ],
      scaffold,
    )
    await promisify(execFile)(command, args, options)
    renameSync(pwfile, path.join(build, PASSWORD_FILE))
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

export function readPassword(folder: string): string {
  return readFileSync(path.join(folder, PASSWORD_FILE), 'utf8')
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

/** Only when no process works in the folder, and unless another one's was written meanwhile. */
export function removePostmasterFile(folder: string, pid: number): void {
  if (readPostmasterFile(folder)?.pid === pid) rmSync(postmasterFile(folder), { force: true })
}
