import { realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { withoutControls } from '#shared/text/plain-text.ts'
import { readEnvironment } from '../../sync-server/config.ts'

/** This is EX_USAGE of sysexits.h. */
const EXIT_USAGE = 64

export interface Ended {
  readonly status: number
  readonly output: string
}

export type Environment = Readonly<Record<string, string | undefined>>

export type Command = (args: readonly string[], env: Environment) => Promise<Ended>

/** `ways` are written as they follow `npm run`. */
export function usage(...ways: readonly string[]): Ended {
  return { status: EXIT_USAGE, output: `Usage: ${ways.map((way) => `npm run ${way}`).join('\n       ')}\n` }
}

/** Runs the command only if the file is the program that was started, and not only imported. */
export async function runAsProgram(url: string, command: Command): Promise<void> {
  const [, program, ...args] = process.argv
  if (program === undefined || realpathSync(program) !== fileURLToPath(url)) return
  const { status, output } = await command(args, readEnvironment())
  const screen = status === 0 ? process.stdout : process.stderr
  screen.write(withoutControls(output))
  process.exitCode = status
}
