import { execFile } from 'node:child_process'
import type { Command, Ended } from '../scripts/commands/command.ts'
import type { programs } from './global-setup.ts'
import { programFile } from './programs.ts'

/** Runs a command of `scripts/commands/` on the database at an address, without any other setting. */
export const runCommand = async (command: Command, args: readonly string[], connectionString: string): Promise<Ended> =>
  await command(args, { DATABASE_URL: connectionString })

/** Runs a program in a process of its own and waits for its end; a status of -1 says that it was killed. Never rejects. */
export async function runProgram(
  name: keyof typeof programs,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Ended> {
  const all = { PATH: process.env['PATH'] ?? '', ...env }
  return await new Promise((resolve) => {
    execFile(
      process.execPath,
      [programFile(name), ...args],
      { env: all, timeout: 180_000 },
      (error, stdout, stderr) => {
        const status = typeof error?.code === 'number' ? error.code : error ? -1 : 0
        resolve({ status, output: stdout + stderr })
      },
    )
  })
}
