import { execFileSync, type SpawnOptions } from 'node:child_process'
import { chmodSync, lchownSync, lstatSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { programIn } from './postgres-binaries.ts'
import { DatabaseUnusable } from '../reach-database.ts'

export interface RunAs {
  /** `folder` must exist. */
  command(program: string, args: readonly string[], folder: string): [string, string[], SpawnOptions]
  /** Names user and group that own the programs' files; null means this process's. */
  readonly owner: number | null
}

/**
 * A number of no user. systemd and Debian leave 65520–65533 unassigned, and it exists in containers that map 65,536
 * users.
 */
export const unprivilegedUser = 65_531

const asOneself: RunAs = { command: (program, args) => [program, [...args], {}], owner: null }

/** initdb wants a user with a name, and this number has one on every Linux. */
export const namedUser = 65_534

const asAnother = (user: number): RunAs => ({
  command: (program, args) => [program, [...args], { uid: user, gid: user, cwd: '/' }],
  owner: user,
})

/**
 * Serves folders that the user may not reach, such as below root's home: in a mount namespace each closed folder on the
 * way shows only PostgreSQL and its data. The process has no capability.
 */
const asAnotherInside = (user: number, programs: string, [shut = '', alsoShut = '']: string[]): RunAs => ({
  command: (program, args, folder) => [
    'unshare',
    ['--mount', '--propagation', 'private', '--', 'sh', '-ec', coverAndRun, 'sh'].concat(
      [programs, folder, shut, alsoShut, String(user), program],
      args,
    ),
    { cwd: '/' },
  ],
  owner: user,
})

const coverAndRun = `
programs=$1 folder=$2 shut=$3 also_shut=$4 user=$5
shift 5
exec 3<"$programs" 4<"$folder"
mount -t tmpfs -o mode=0755,size=1m tmpfs "$shut"
test -z "$also_shut" || mount -t tmpfs -o mode=0755,size=1m tmpfs "$also_shut"
mkdir -p "$programs" "$folder"
mount --no-canonicalize --bind /proc/self/fd/3 "$programs"
mount --no-canonicalize --bind /proc/self/fd/4 "$folder"
exec 3<&- 4<&-
exec setpriv --reuid="$user" --regid="$user" --clear-groups --no-new-privs --bounding-set=-all -- "$@"
`

/**
 * Uses a user namespace where root's files belong to `namedUser`, which is not root by name, but root towards files.
 */
export const asRootByAnotherName: RunAs = {
  command: (program, args) => [
    'unshare',
    ['--user', `--map-user=${namedUser}`, `--map-group=${namedUser}`, '--', program, ...args],
    {},
  ],
  owner: 0,
}

/**
 * An ordinary user runs it directly. Root runs it as a user without rights who owns only the database's folder, or as
 * root by another name. `programs` is npm's PostgreSQL folder, and `dataDir` must exist. Throws when PostgreSQL cannot
 * run here.
 */
export function chooseRunAs(programs: string, dataDir: string, user = unprivilegedUser): RunAs {
  if (process.getuid?.() !== 0) return asOneself
  const shut = [...new Set([programs, path.join(dataDir, 'postgres')].flatMap(shutFolderAbove))]
  const works = (runAs: RunAs) => canWrite(runAs, programs, dataDir)
  const inside = asAnotherInside(user, programs, shut)
  if (shut.length > 0 && works(inside)) return inside
  // Most containers have no namespaces. Our own folder may be walked through there; its contents stay closed.
  if (shut[0] === dataDir) chmodSync(dataDir, statSync(dataDir).mode | 0o011)
  for (const runAs of [asAnother(user), asRootByAnotherName]) if (works(runAs)) return runAs
  throw new DatabaseUnusable(
    'PostgreSQL does not run as root, and this machine does not let root become another user. Start Beaconry as an ordinary user, or set DATABASE_URL.',
  )
}

/** Tries the program and a write into a folder. */
function canWrite(runAs: RunAs, programs: string, dataDir: string): boolean {
  const folder = mkdtempSync(path.join(dataDir, '.postgres-reach-'))
  try {
    handOver(runAs, folder)
    const tried = ['-ec', '"$0" --version >/dev/null; : > "$1/file"', programIn(programs, 'postgres'), folder]
    runToEnd(runAs, '/bin/sh', tried, folder)
    return true
  } catch {
    return false
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Throws what the program complained of. */
export function runToEnd(runAs: RunAs, program: string, args: readonly string[], folder: string, input = ''): void {
  const [command, all, options] = runAs.command(program, args, folder)
  execFileSync(command, all, { ...options, input, stdio: 'pipe' } as object)
}

/** Finds the first folder that other users may not walk through. */
function shutFolderAbove(target: string): string[] {
  const names = path.dirname(target).split('/').filter(Boolean)
  return names
    .map((_, index) => `/${names.slice(0, index + 1).join('/')}`)
    .filter((folder) => (statSync(folder).mode & 0o001) === 0)
    .slice(0, 1)
}

/**
 * Symbolic links are given, never followed; the folder itself goes last, so that the next start finishes what a killed
 * one began.
 */
export function handOver({ owner }: RunAs, target: string): void {
  if (owner === null || lstatSync(target).uid === owner) return
  for (const { parentPath, name } of readdirSync(target, { recursive: true, withFileTypes: true }))
    lchownSync(path.join(parentPath, name), owner, owner)
  lchownSync(target, owner, owner)
}
