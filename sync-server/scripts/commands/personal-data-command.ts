import { writeFileSync } from 'node:fs'
import { EXIT_USAGE } from './open-database.ts'

/** What somebody wants done with personal data. */
export type PersonalDataCommand =
  | { readonly action: 'export'; readonly email: string; readonly file: string | undefined }
  | { readonly action: 'delete'; readonly email: string; readonly isConfirmed: boolean }

/**
 * Reads `--export <email> [file]` or `--delete <email> [--yes]`; says how it is meant and answers undefined for anything
 * else. `script`: as npm knows it.
 */
export function readCommand(script: string, args: readonly string[]): PersonalDataCommand | undefined {
  const isConfirmed = args.includes('--yes')
  const [action, email, file, ...more] = args.filter((word) => word !== '--yes')
  const isAddress = email?.includes('@') === true && !email.startsWith('-')
  if (action === '--export' && isAddress && !isConfirmed && !file?.startsWith('-') && more.length === 0)
    return { action: 'export', email, file }
  if (action === '--delete' && isAddress && file === undefined) return { action: 'delete', email, isConfirmed }
  process.stderr.write(
    `Usage: npm run ${script} -- --export <email> [file]\n       npm run ${script} -- --delete <email> [--yes]\n`,
  )
  process.exitCode = EXIT_USAGE
  return undefined
}

/** Hands a copy of personal data over: into a new file that only its owner can read, or to the screen. Answers the exit status. */
export function handOut(copy: object, file: string | undefined): number {
  const text = `${JSON.stringify(copy, null, 2)}\n`
  if (file === undefined) {
    process.stdout.write(text)
    return 0
  }
  try {
    writeFileSync(file, text, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    process.stderr.write(
      `Nothing was written: ${code === 'EEXIST' ? `${file} exists already; a copy overwrites nothing.` : message}\n`,
    )
    return 1
  }
  process.stdout.write(`Written to ${file}, which only you can read.\n`)
  return 0
}
