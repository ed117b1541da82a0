import { readFileSync, readdirSync, readlinkSync } from 'node:fs'

/** Of /proc/PID/stat; the command name before the fields may hold blanks and brackets. */
function linuxStat(pid: number): { state: string; startedAtTick: string } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { state: fields[0] ?? '', startedAtTick: fields[19] ?? '' }
  } catch {
    return undefined
  }
}

/** False for a zombie. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  const state = linuxStat(pid)?.state
  return state !== 'Z' && state !== 'X'
}

/** Process ids are reused quickly in containers: the start tick is part of it where known. */
export function processIdentity(pid: number): string {
  return `${pid}:${linuxStat(pid)?.startedAtTick ?? ''}`
}

export function isSameLivingProcess(identity: string): boolean {
  const pid = Number.parseInt(identity, 10)
  return Number.isInteger(pid) && isAlive(pid) && processIdentity(pid) === identity
}

/** Linux only; elsewhere the list is empty. */
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
