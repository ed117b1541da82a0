import { execFile } from 'node:child_process'
import path from 'node:path'
import { inject } from 'vitest'
import type { Ended } from '../../scripts/commands/command.ts'
import type { programs } from './global-setup.ts'

/** The file of a program that tests start, bundled for this run of them. */
export function programFile(name: keyof typeof programs): string {
  return path.join(inject('programsFolder'), `${name}.mjs`)
}

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
