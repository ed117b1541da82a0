import { execFileSync, type SpawnOptions } from 'node:child_process'
import { chmodSync, lchownSync, lstatSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { DatabaseUnusable } from './reach-database.ts'

export interface RunAs {
  /** `folder` must exist. */
  command(program: string, args: readonly string[], folder: string): [string, string[], SpawnOptions]
  /** User and group that own the programs' files; null for this process's. */
  readonly owner: number | null
  /** The protection this machine lacks; null for none. */
  readonly loss: string | null
}

/**
 * A number of no user. systemd and Debian leave 65520–65533 unassigned, and it exists in containers that map 65,536
 * users.
 */
export const unprivilegedUser = 65_531

const asOneself: RunAs = { command: (program, args) => [program, [...args], {}], owner: null, loss: null }

/** initdb wants a user with a name, and this number has one on every Linux. */
export const namedUser = 65_534

const asAnother = (user: number): RunAs => ({
  command: (program, args) => [program, [...args], { uid: user, gid: user, cwd: '/' }],
  owner: user,
  loss: null,
})

/**
 * For a folder the user may not reach, such as below root's home: in a mount namespace the first closed folder on the
 * way shows only PostgreSQL and its data. Without any capability.
 */
const asAnotherInside = (user: number, programs: string): RunAs => ({
  command: (program, args, folder) => [
    'unshare',
    [
      '--mount',
      '--propagation',
      'private',
      '--',
      'sh',
      '-ec',
      coverAndRun,
      'sh',
      programs,
      folder,
      shutFolderAbove(programs) ?? '',
      shutFolderAbove(folder) ?? '',
      String(user),
      program,
      ...args,
    ],
    { cwd: '/' },
  ],
  owner: user,
  loss: null,
})

const coverAndRun = `
programs=$1 folder=$2 shut1=$3 shut2=$4 user=$5
shift 5
exec 3<"$programs" 4<"$folder"
for shut in "$shut1" "$shut2"; do
  test -z "$shut" || test "$shut" = "$covered" || mount -t tmpfs -o mode=0755,size=1m tmpfs "$shut"
  covered=$shut
done
if test -n "$shut1"; then
  mkdir -p "$programs"
  mount --no-canonicalize --bind /proc/self/fd/3 "$programs"
fi
if test -n "$shut2"; then
  mkdir -p "$folder"
  mount --no-canonicalize --bind /proc/self/fd/4 "$folder"
fi
exec 3<&- 4<&-
exec setpriv --reuid="$user" --regid="$user" --clear-groups --no-new-privs --bounding-set=-all -- "$@"
`

const namespace = ['--user', `--map-user=${namedUser}`, `--map-group=${namedUser}`, '--']

/** A user namespace where root's files belong to `namedUser`: not root by name, but root towards files. */
const asRootByAnotherName: RunAs = {
  command: (program, args) => ['unshare', [...namespace, program, ...args], {}],
  owner: 0,
  loss: 'the embedded database runs with root’s rights over files, for this machine allows nothing else; start Beaconry as an ordinary user instead',
}

/**
 * As an ordinary user: directly. As root: as a user without rights who owns only the database's folder, else as root by
 * another name. `programs` is npm's PostgreSQL folder, `dataDir` must exist. Throws when PostgreSQL cannot run here.
 */
export function chooseRunAs(programs: string, dataDir: string, user = unprivilegedUser): RunAs {
  if (process.getuid?.() !== 0) return asOneself
  const shut = shutFolderAbove(programs) ?? shutFolderAbove(path.join(dataDir, 'postgres'))
  let chosen = works(shut === undefined ? asAnother(user) : asAnotherInside(user, programs), programs, dataDir)
  // Without namespaces, as in most containers. Our own folder may be walked through; its contents stay closed.
  if (!chosen && shut === dataDir) {
    chmodSync(dataDir, statSync(dataDir).mode | 0o011)
    chosen = works(asAnother(user), programs, dataDir)
  }
  chosen ??= works(asRootByAnotherName, programs, dataDir)
  if (!chosen)
    throw new DatabaseUnusable(
      'PostgreSQL does not run as root, and this machine does not let root become another user. Start Beaconry as an ordinary user, or set DATABASE_URL.',
    )
  return chosen
}

/** Tries the program and a write into a folder; undefined when that fails. */
function works(runAs: RunAs, programs: string, dataDir: string): RunAs | undefined {
  const folder = mkdtempSync(path.join(dataDir, '.postgres-reach-'))
  try {
    handOver(runAs, folder)
    const tried = ['-ec', '"$0" --version >/dev/null; : > "$1/file"', path.join(programs, 'bin/postgres'), folder]
    const [command, args, options] = runAs.command('/bin/sh', tried, folder)
    execFileSync(command, args, { ...options, stdio: 'ignore' } as object)
    return runAs
  } catch {
    return undefined
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** That other users may not walk through. */
function shutFolderAbove(target: string): string | undefined {
  const names = path.dirname(target).split('/').filter(Boolean)
  return names
    .map((_, index) => `/${names.slice(0, index + 1).join('/')}`)
    .find((folder) => (statSync(folder).mode & 0o001) === 0)
}

/**
 * Symbolic links are given, never followed; the folder itself goes last, so that the next start finishes what a killed
 * one began.
 */
export function handOver({ owner }: Pick<RunAs, 'owner'>, target: string): void {
  if (owner === null || lstatSync(target).uid === owner) return
  giveDeep(target, owner)
}

function giveDeep(target: string, owner: number): void {
  if (lstatSync(target).isDirectory()) for (const name of readdirSync(target)) giveDeep(path.join(target, name), owner)
  lchownSync(target, owner, owner)
}
