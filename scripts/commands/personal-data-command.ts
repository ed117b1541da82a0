import { writeFileSync } from 'node:fs'
import { usage, type Ended } from './command.ts'

export type PersonalDataCommand =
  | { readonly action: 'export'; readonly email: string; readonly file: string | undefined }
  | { readonly action: 'delete'; readonly email: string; readonly isConfirmed: boolean }

/** Reads `--export <email> [file]` or `--delete <email> [--yes]`; anything else is undefined. */
export function readCommand(args: readonly string[]): PersonalDataCommand | undefined {
  const isConfirmed = args.includes('--yes')
  const [action, email, file, ...more] = args.filter((word) => word !== '--yes')
  const isAddress = email?.includes('@') === true && !email.startsWith('-')
  if (action === '--export' && isAddress && !isConfirmed && !file?.startsWith('-') && more.length === 0)
    return { action: 'export', email, file }
  if (action === '--delete' && isAddress && file === undefined) return { action: 'delete', email, isConfirmed }
  return undefined
}

export function personalDataUsage(script: string): Ended {
  return usage(`${script} -- --export <email> [file]`, `${script} -- --delete <email> [--yes]`)
}

/** Writes into a new file that only its owner can read, or to the screen. */
export function handOut(copy: object, file: string | undefined): Ended {
  const text = `${JSON.stringify(copy, null, 2)}\n`
  if (file === undefined) return { status: 0, output: text }
  try {
    writeFileSync(file, text, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const reason = code === 'EEXIST' ? `${file} exists already; a copy overwrites nothing.` : message
    return { status: 1, output: `Nothing was written: ${reason}\n` }
  }
  return { status: 0, output: `Written to ${file}, which only you can read.\n` }
}
