import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { bundle } from '../../scripts/bundle.ts'
import { startTemplateDatabase } from './template-database.ts'

declare module 'vitest' {
  interface ProvidedContext {
    databaseAdminUrl: string
    databaseTemplate: string
    programsFolder: string
  }
}

/** What tests start in a process of its own, by name. */
export const programs = {
  main: 'sync-server/app/server-main.ts',
  'picture-child': 'sync-server/pictures/picture-child.ts',
  admin: 'scripts/commands/admin.ts',
  account: 'scripts/commands/account.ts',
  'embedded-postgres': 'sync-server/db/embedded/embedded-postgres.ts',
} as const

/**
 * For a test run, one PostgreSQL server, or the one at TEST_DATABASE_URL, which may create databases; and the programs
 * that tests start, bundled, for a process that compiles its sources costs five seconds.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const bundles = path.resolve('.tsbuild')
  mkdirSync(bundles, { recursive: true })
  const folder = mkdtempSync(path.join(bundles, 'programs-'))
  const [database] = await Promise.all([
    startTemplateDatabase(process.env['TEST_DATABASE_URL']),
    bundle(programs, folder),
  ])
  project.provide('databaseAdminUrl', database.adminUrl)
  project.provide('databaseTemplate', database.template)
  project.provide('programsFolder', folder)
  return async () => {
    rmSync(folder, { recursive: true, force: true })
    await database.stop()
  }
}
