import { EXIT_USAGE, onConfiguredDatabase } from './open-database.ts'
import { takeBackup } from './take-backup.ts'

/** `npm run backup -- <file>`: writes everything worth keeping into a new file. The server may be running meanwhile. */
async function main(file: string | undefined): Promise<number> {
  if (file === undefined || file.startsWith('-')) {
    process.stderr.write('Usage: npm run backup -- <file>\n')
    return EXIT_USAGE
  }
  return await onConfiguredDatabase({ statementTimeoutMs: 0, applicationName: 'beaconry-backup' }, async (db) => {
    try {
      const tables = await takeBackup(db, file, new Date())
      const rows = tables.reduce((total, table) => total + table.rows, 0)
      process.stdout.write(`Backed up ${rows} rows of ${tables.length} tables to ${file}.\n`)
      return 0
    } catch (error) {
      process.stderr.write(`Nothing was backed up: ${(error as Error).message}\n`)
      return 1
    }
  })
}

process.exitCode = await main(process.argv[2])
