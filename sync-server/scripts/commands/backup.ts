import { runAsProgram, usage, type Ended, type Environment } from './command.ts'
import { onConfiguredDatabase } from './open-database.ts'
import { takeBackup } from './take-backup.ts'

const secrets =
  'It holds secrets in clear, so keep it like the database itself, encrypted where others can reach it: the keys push messages and links in mails are signed with, applicants’ links and the addresses of their phones, and everybody’s personal data. Passwords are in it as argon2id hashes; sessions are not in it.'

/** `npm run backup -- <file>`. The server may be running. */
export async function backup([file, ...more]: readonly string[], env: Environment): Promise<Ended> {
  if (file === undefined || file.startsWith('-') || more.length > 0) return usage('backup -- <file>')
  const options = { statementTimeoutMs: 0, applicationName: 'beaconry-backup' }
  return await onConfiguredDatabase(env, options, async (db) => {
    try {
      const tables = await takeBackup(db, file, new Date())
      const rows = tables.reduce((total, table) => total + table.rows, 0)
      return { status: 0, output: `Backed up ${rows} rows of ${tables.length} tables to ${file}.\n${secrets}\n` }
    } catch (error) {
      return { status: 1, output: `Nothing was backed up: ${(error as Error).message}\n` }
    }
  })
}

await runAsProgram(import.meta.url, backup)
