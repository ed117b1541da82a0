import type { TestProject } from 'vitest/node'
import { startTemplateDatabase } from './template-database.ts'

declare module 'vitest' {
  interface ProvidedContext {
    databaseAdminUrl: string
    databaseTemplate: string
  }
}

/** One PostgreSQL server for a test run; TEST_DATABASE_URL names another one that may create databases. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const database = await startTemplateDatabase(process.env['TEST_DATABASE_URL'])
  project.provide('databaseAdminUrl', database.adminUrl)
  project.provide('databaseTemplate', database.template)
  return database.stop
}
