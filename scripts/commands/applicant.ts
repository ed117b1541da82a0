import { outgoingName } from '#shared/text/outgoing-name.ts'
import { deleteApplicant, exportApplicant } from '../../sync-server/personal-data/applicant-data.ts'
import { migrate } from '../../sync-server/db/migrate.ts'
import { runAsProgram, type Ended, type Environment } from './command.ts'
import { onConfiguredDatabase } from './open-database.ts'
import { handOut, personalDataUsage, readCommand } from './personal-data-command.ts'

/**
 * `npm run applicant -- --export <email> [file]`, or `--delete <email>` (with `--yes`), over all events. The server may be
 * running.
 */
export async function applicant(args: readonly string[], env: Environment): Promise<Ended> {
  const command = readCommand(args)
  if (!command) return personalDataUsage('applicant')
  const { email } = command
  return await onConfiguredDatabase(env, { statementTimeoutMs: 0 }, async (db) => {
    await migrate(db)
    if (command.action === 'export') {
      const copy = await db.transaction((trx) => exportApplicant(trx, email), {
        isolationLevel: 'repeatable read',
        readOnly: true,
      })
      if (copy) return handOut({ exportedAt: new Date().toISOString(), ...copy }, command.file)
      return { status: 1, output: `Nothing is held about an applicant with the email address ${email}.\n` }
    }
    if (command.isConfirmed) {
      const gone = await db.transaction((trx) => deleteApplicant(trx, email, new Date()))
      const output =
        gone.applications + gone.mails === 0
          ? `Nothing was held about an applicant with the email address ${email}.\n`
          : `Deleted ${gone.applications} applications, ${gone.wereBeacons} of them approved, and ${gone.mails} mails. Devices and public pages forget them with their next contact.\n`
      return { status: 0, output }
    }
    const events = await db('applications')
      .join('events', 'events.id', 'applications.eventId')
      .whereRaw('lower(applications.email) = lower(?)', [email])
      .orderBy(['applications.createdAt', 'applications.id'])
      .select('events.name', 'applications.status')
    const list = events.map(({ name, status }) => `  ${outgoingName(name)} (${status})\n`).join('')
    const output = `${email} has ${events.length} applications:\n${list}Deleting them also deletes decisions, notes, phones and mails. Organizers of coming events hear of an approved Beacon as of a withdrawal. Backups that were taken before keep everything.\nNothing was deleted. To do it: npm run applicant -- --delete ${email} --yes\n`
    return { status: 1, output }
  })
}

await runAsProgram(import.meta.url, applicant)
