import { readFileSync, readdirSync, readlinkSync } from 'node:fs'

/** The state letter and start tick of /proc/PID/stat; the command name before them may hold blanks and brackets. */
function linuxStat(pid: number): { state: string; startedAtTick: string } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { state: fields[0] ?? '', startedAtTick: fields[19] ?? '' }
  } catch {
    return undefined
  }
}

/** Whether a process exists and still runs code: a zombie, dead but not yet collected by its parent, does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  const state = linuxStat(pid)?.state
  return state !== 'Z' && state !== 'X'
}

/** Names one life of a process: process ids come back quickly in containers, so the start tick is part of it where known. */
export function processIdentity(pid: number): string {
  return `${pid}:${linuxStat(pid)?.startedAtTick ?? ''}`
}

/** Whether the process that once had this identity is still the one that has its id now. */
export function isSameLivingProcess(identity: string): boolean {
  const pid = Number.parseInt(identity, 10)
  return Number.isInteger(pid) && isAlive(pid) && processIdentity(pid) === identity
}

/** Ids of the living processes that work in this folder (Linux only; elsewhere none are seen). */
export function processesWorkingIn(folder: string): number[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`) === folder && isAlive(pid)
      } catch {
        return false
      }
    })
}
