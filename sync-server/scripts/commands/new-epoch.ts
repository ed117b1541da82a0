import { databaseWentBack } from '../../app/database-went-back.ts'
import { EXIT_USAGE, onConfiguredDatabase } from './open-database.ts'

/**
 * `npm run new-epoch`: to be run once after a database was brought back to an earlier moment by other means than
 * `npm run restore`, such as a snapshot. The server may be running.
 */
async function main(args: readonly string[]): Promise<number> {
  if (args.length > 0) {
    process.stderr.write('Usage: npm run new-epoch\n')
    return EXIT_USAGE
  }
  return await onConfiguredDatabase({ poolSize: 1, applicationName: 'beaconry-new-epoch' }, async (db) => {
    const { doubtedMails } = await db.transaction(databaseWentBack)
    process.stdout.write(
      'A new epoch has begun: every device takes a fresh copy and offers again what this database does not know.\n' +
        `${doubtedMails} mails that waited may have left before; their organizers decide whether to send them again.\n`,
    )
    return 0
  })
}

process.exitCode = await main(process.argv.slice(2))
