import { realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { withoutControls } from '#shared/text/plain-text.ts'
import { readEnvironment } from '../../config.ts'

/** Exit status for a command that was written wrongly (EX_USAGE of sysexits.h). */
const EXIT_USAGE = 64

/** How a command ended: its exit status, and all that it has to say. */
export interface Ended {
  readonly status: number
  readonly output: string
}

export type Environment = Readonly<Record<string, string | undefined>>

/** What `npm run …` does, called with the words behind it and the settings it finds. */
export type Command = (args: readonly string[], env: Environment) => Promise<Ended>

/** The end of a command that was written wrongly; `ways` are the right ones, as behind `npm run`. */
export function usage(...ways: readonly string[]): Ended {
  return { status: EXIT_USAGE, output: `Usage: ${ways.map((way) => `npm run ${way}`).join('\n       ')}\n` }
}

/** Runs a command if its file, named by its URL, is the program that was started, and not only read by another. */
export async function runAsProgram(url: string, command: Command): Promise<void> {
  const [, program, ...args] = process.argv
  if (program === undefined || realpathSync(program) !== fileURLToPath(url)) return
  const { status, output } = await command(args, readEnvironment())
  const screen = status === 0 ? process.stdout : process.stderr
  screen.write(withoutControls(output))
  process.exitCode = status
}
