import { EXIT_USAGE, onConfiguredDatabase } from './open-database.ts'
import { takeBackup } from './take-backup.ts'

/** A copy of the file is a copy of these. */
const secrets =
  'It holds secrets in clear, so keep it like the database itself, encrypted where others can reach it: the keys push messages and links in mails are signed with, applicants’ links and the addresses of their phones, and everybody’s personal data. Passwords are in it as argon2id hashes; sessions are not in it.'

/** `npm run backup -- <file>`: writes everything worth keeping into a new file. The server may be running meanwhile. */
async function main([file, ...more]: readonly string[]): Promise<number> {
  if (file === undefined || file.startsWith('-') || more.length > 0) {
    process.stderr.write('Usage: npm run backup -- <file>\n')
    return EXIT_USAGE
  }
  return await onConfiguredDatabase({ statementTimeoutMs: 0, applicationName: 'beaconry-backup' }, async (db) => {
    try {
      const tables = await takeBackup(db, file, new Date())
      const rows = tables.reduce((total, table) => total + table.rows, 0)
      process.stdout.write(`Backed up ${rows} rows of ${tables.length} tables to ${file}.\n${secrets}\n`)
      return 0
    } catch (error) {
      process.stderr.write(`Nothing was backed up: ${(error as Error).message}\n`)
      return 1
    }
  })
}

process.exitCode = await main(process.argv.slice(2))
