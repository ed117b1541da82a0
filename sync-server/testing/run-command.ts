import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** How a command ended: its exit status, -1 when it was killed or could not be started, and all that it wrote. */
export interface Ended {
  readonly status: number
  readonly output: string
}

/**
 * Runs a command of `scripts/commands/` in a process of its own, as npm does, and waits for its end. Never rejects.
 * @param script the name of its file without the ending, e.g. 'admin'
 * @param connectionString the database it works on; it gets no other setting
 */
export async function runCommand(script: string, args: readonly string[], connectionString: string): Promise<Ended> {
  const env = { PATH: process.env['PATH'] ?? '', DATABASE_URL: connectionString }
  const command = ['--import', 'tsx', `sync-server/scripts/commands/${script}.ts`, ...args]
  return await new Promise((resolve) => {
    execFile(process.execPath, command, { cwd: root, env }, (error, stdout, stderr) => {
      const status = typeof error?.code === 'number' ? error.code : error ? -1 : 0
      resolve({ status, output: stdout + stderr })
    })
  })
}
