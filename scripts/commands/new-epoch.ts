import { databaseWentBack } from '../../sync-server/app/database-went-back.ts'
import { runAsProgram, usage, type Ended, type Environment } from './command.ts'
import { onConfiguredDatabase } from './open-database.ts'

/**
 * `npm run new-epoch`, once after a database went back by other means than `npm run restore`. The server may be running.
 */
export async function newEpoch(args: readonly string[], env: Environment): Promise<Ended> {
  if (args.length > 0) return usage('new-epoch')
  return await onConfiguredDatabase(env, { poolSize: 1, applicationName: 'beaconry-new-epoch' }, async (db) => {
    const { heldMails } = await db.transaction(databaseWentBack)
    const output =
      'A new epoch has begun: everyone signs in again, every device takes a fresh copy and offers again what this database does not know.\n' +
      `${heldMails} mails that waited may have left before; their organizers decide whether to send them again.\n`
    return { status: 0, output }
  })
}

await runAsProgram(import.meta.url, newEpoch)
