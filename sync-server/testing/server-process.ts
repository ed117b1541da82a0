import { spawn, type ChildProcess } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'

const bundle = path.resolve('dist/server/main.mjs')

/** The server as a process of its own, which a test may kill and start again on the same port. */
export type ServerProcess = Awaited<ReturnType<typeof prepareServerProcess>>

/**
 * Prepares the built server on a free port. `env` overrides the defaults: quiet logs, demo mode, no other settings of
 * this machine. Throws when the server was not built; `fromSource` is the server as it is
 * bundled for a run of Vitest, built or not.
 */
export async function prepareServerProcess(env: Record<string, string>, { fromSource = false } = {}) {
  if (!fromSource && !existsSync(bundle)) throw new Error('dist/server/main.mjs is missing: run `npm run build` first')
  const program = fromSource ? (await import('./programs.ts')).programFile('main') : bundle
  const port = await freePort()
  const origin = `http://localhost:${port}`
  let child: ChildProcess | undefined
  let printed = ''

  async function exited(running: ChildProcess): Promise<number | null> {
    if (hasEnded(running)) return running.exitCode
    return new Promise((resolve) => running.once('exit', (code) => resolve(code)))
  }

  return {
    origin,
    port,
    /** Resolves when /readyz answers 200. */
    async start() {
      const started = spawn(process.execPath, ['--enable-source-maps', program], {
        env: {
          PATH: process.env['PATH'] ?? '',
          HOME: process.env['HOME'] ?? '',
          PORT: String(port),
          DEMO_MODE: '1',
          LOG_LEVEL: 'warn',
          ...env,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      child = started
      started.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()))
      started.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()))
      const deadline = Date.now() + 180_000
      while (Date.now() < deadline) {
        if (hasEnded(started))
          throw new Error(`the server stopped with ${started.exitCode ?? started.signalCode}:\n${printed}`)
        if (await answersReady(origin)) return
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      throw new Error(`the server did not become ready:\n${printed}`)
    },
    pid: () => child?.pid ?? 0,
    /** Whether the process lives: one that ended by itself is a failure of its own. */
    isRunning: () => child !== undefined && !hasEnded(child),
    /** SIGKILL: nothing is said goodbye to. */
    async kill() {
      if (!child) return
      child.kill('SIGKILL')
      await exited(child)
    },
    /** SIGTERM, as a deployment does; resolves with the exit status. */
    async stop() {
      if (!child) return null
      child.kill('SIGTERM')
      return exited(child)
    },
    /** Everything the process printed since it was first started. */
    output: () => printed,
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

async function answersReady(origin: string): Promise<boolean> {
  try {
    const answer = await fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(2000) })
    await answer.arrayBuffer()
    return answer.ok
  } catch {
    return false
  }
}

/** Where the system takes ports from for connections that go out: a server that is started again would find its own taken. */
const firstBorrowed = 32_768
/** Browsers and `fetch` refuse some ports below, such as 10080, which other protocols use. */
const firstFree = 10_081

/** A port that is free at this moment, and which no connection borrows. */
export async function freePort(): Promise<number> {
  const port = randomInt(firstFree, firstBorrowed)
  const isFree = await new Promise<boolean>((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, () => probe.close(() => resolve(true)))
  })
  return isFree ? port : await freePort()
}
