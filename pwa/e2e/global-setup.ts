import { startTemplateDatabase } from '../../sync-server/testing/template-database.ts'

/** One throw-away PostgreSQL for all journeys; each test gets a database of its own from its template. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  const database = await startTemplateDatabase(process.env['TEST_DATABASE_URL'])
  process.env['E2E_DATABASE_ADMIN_URL'] = database.adminUrl
  process.env['E2E_DATABASE_TEMPLATE'] = database.template
  return database.stop
}
