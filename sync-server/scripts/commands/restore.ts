import { runAsProgram, usage, type Ended, type Environment } from './command.ts'
import { onConfiguredDatabase } from './open-database.ts'
import { restoreBackup } from './restore-backup.ts'

/** `npm run restore -- <file> [--force]`. The server must be stopped. */
export async function restore(args: readonly string[], env: Environment): Promise<Ended> {
  const [file, ...more] = args.filter((word) => word !== '--force')
  if (file === undefined || file.startsWith('-') || more.length > 0) return usage('restore -- <file> [--force]')
  const options = { poolSize: 1, statementTimeoutMs: 0, applicationName: 'beaconry-restore' }
  return await onConfiguredDatabase(env, options, async (db) => {
    try {
      const { takenAt, tables, heldMails } = await restoreBackup(db, file, { force: args.includes('--force') })
      const rows = tables.reduce((total, table) => total + table.rows, 0)
      const output =
        `Restored ${rows} rows of ${tables.length} tables as of ${takenAt}, each checked. Everyone signs in again, every device takes a fresh copy and offers again what it made since.\n` +
        `${heldMails} mails that waited then may have left since; their organizers decide whether to send them again.\n`
      return { status: 0, output }
    } catch (error) {
      return { status: 1, output: `Nothing was restored: ${(error as Error).message}\n` }
    }
  })
}

await runAsProgram(import.meta.url, restore)
