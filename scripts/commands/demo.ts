import { removeDemo } from '../../sync-server/personal-data/demo-accounts.ts'
import { migrate } from '../../sync-server/db/migrate.ts'
import { runAsProgram, usage, type Ended, type Environment } from './command.ts'
import { onConfiguredDatabase } from './open-database.ts'

/** `npm run demo -- --remove` deletes the demo. The server may be running. */
export async function demo([option, ...more]: readonly string[], env: Environment): Promise<Ended> {
  if (option !== '--remove' || more.length > 0) return usage('demo -- --remove')
  return await onConfiguredDatabase(env, { statementTimeoutMs: 0 }, async (db) => {
    await migrate(db)
    const { accounts, events, applications, promoCodes } = await removeDemo(db, new Date())
    const output =
      accounts + promoCodes === 0
        ? 'There is nothing of the demo in this database.\n'
        : `Removed ${accounts} accounts, ${events} events with ${applications} applications, and ${promoCodes} promo codes of the demo.\n`
    return { status: 0, output }
  })
}

await runAsProgram(import.meta.url, demo)
