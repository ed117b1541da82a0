import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** A shell leads the group, and kills it once the program has ended or our end of its input is closed. */
const guard = `trap 'kill -KILL 0' EXIT; ("$@"; kill -KILL 0) & cat`

/**
 * Starts a program whose whole group of processes ends with this process, however that ends.
 * @param env replaces the environment
 */
export function startGuarded(program: string, args: readonly string[], env = process.env) {
  const shell = spawn('/bin/sh', ['-c', guard, 'sh', program, ...args], {
    detached: true,
    env,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  shell.stdin.on('error', () => undefined)
  const ended = endOf(shell).then((reason) => {
    throw new Error(`${program} ended: ${reason}`)
  })
  ended.catch(() => undefined)
  return {
    output: shell.stdout,
    /** Rejects when the program has ended. */
    ended: ended as Promise<never>,
    kill: () => void shell.stdin.end(),
  }
}

async function endOf(child: ChildProcess): Promise<string> {
  const [code, signal] = (await Promise.race([once(child, 'error'), once(child, 'exit')])) as unknown[]
  return String(code ?? signal)
}
