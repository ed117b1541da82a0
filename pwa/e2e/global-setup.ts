import { publishEverything } from '../../sync-server/app/nouns.ts'
import { createKnex } from '../../sync-server/db/knex-config.ts'
import { seedDemo } from '../../sync-server/db/seeds/seed-demo.ts'
import { cloneTemplate, startTemplateDatabase } from '../../sync-server/testing/template-database.ts'

/** One throw-away PostgreSQL for all journeys, with a migrated template and one that holds the demo as well. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  const database = await startTemplateDatabase(process.env['TEST_DATABASE_URL'])
  const demo = await cloneTemplate(database)
  const db = createKnex(demo.connectionString)
  await seedDemo(db, new Date(), publishEverything)
  await db.destroy()
  process.env['E2E_DATABASE_ADMIN_URL'] = database.adminUrl
  process.env['E2E_DATABASE_TEMPLATE'] = database.template
  process.env['E2E_DEMO_TEMPLATE'] = new URL(demo.connectionString).pathname.slice(1)
  return async () => {
    await demo.drop()
    await database.stop()
  }
}
