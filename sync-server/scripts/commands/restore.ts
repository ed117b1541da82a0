import { EXIT_USAGE, onConfiguredDatabase } from './open-database.ts'
import { restoreBackup } from './restore-backup.ts'

/** `npm run restore -- <file> [--force]`: replaces the database by a backup. The server must be stopped. */
async function main(args: readonly string[]): Promise<number> {
  const [file, ...more] = args.filter((word) => word !== '--force')
  if (file === undefined || file.startsWith('-') || more.length > 0) {
    process.stderr.write('Usage: npm run restore -- <file> [--force]\n')
    return EXIT_USAGE
  }
  const options = { poolSize: 1, statementTimeoutMs: 0, applicationName: 'beaconry-restore' }
  return await onConfiguredDatabase(options, async (db) => {
    try {
      const { takenAt, tables, doubtedMails } = await restoreBackup(db, file, { force: args.includes('--force') })
      const rows = tables.reduce((total, table) => total + table.rows, 0)
      process.stdout.write(
        `Restored ${rows} rows of ${tables.length} tables as of ${takenAt}, each checked. Everyone signs in again, every device takes a fresh copy and offers again what it made since.\n` +
          `${doubtedMails} mails that waited then may have left since; their organizers decide whether to send them again.\n`,
      )
      return 0
    } catch (error) {
      process.stderr.write(`Nothing was restored: ${(error as Error).message}\n`)
      return 1
    }
  })
}

process.exitCode = await main(process.argv.slice(2))
