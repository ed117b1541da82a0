import { spawnSync } from 'node:child_process'
import { readFileSync, readdirSync, readlinkSync } from 'node:fs'

/** A zombie counts as dead. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  try {
    // The command name before the state may hold blanks and brackets.
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return true
  }
}

/**
 * Tells whether a PostgreSQL works in the folder. Linux says of each process where it works; on other systems only the
 * process `pid` is looked at, on macOS by its command.
 */
export function isInUse(folder: string, pid: number): boolean {
  if (process.platform === 'linux') return readdirSync('/proc').some((name) => worksIn(folder, name))
  if (process.platform === 'win32') return isAlive(pid)
  return isAlive(pid) && String(spawnSync('ps', ['-p', String(pid), '-o', 'command=']).stdout).includes(folder)
}

function worksIn(folder: string, pid: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === folder && isAlive(Number(pid))
  } catch {
    return false
  }
}
