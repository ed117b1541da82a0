import { isUpcomingRow } from '../../sync-server/db/event-end.ts'
import type { Knex } from 'knex'
import { outgoingName } from '#shared/text/outgoing-name.ts'
import { deleteAccount } from '../../sync-server/personal-data/delete-account.ts'
import { exportAccount } from '../../sync-server/personal-data/export-account.ts'
import { findUserByEmail } from '../../sync-server/accounts/user-store.ts'
import type { UserRow } from '../../sync-server/db/rows/account-rows.ts'
import { migrate } from '../../sync-server/db/migrate.ts'
import { runAsProgram, type Ended, type Environment } from './command.ts'
import { onConfiguredDatabase } from './open-database.ts'
import { handOut, personalDataUsage, readCommand } from './personal-data-command.ts'

/** `npm run account -- --export <email> [file]`, or `--delete <email>` (with `--yes`). The server may be running. */
export async function account(args: readonly string[], env: Environment): Promise<Ended> {
  const command = readCommand(args)
  if (!command) return personalDataUsage('account')
  return await onConfiguredDatabase(env, { statementTimeoutMs: 0 }, async (db) => {
    await migrate(db)
    const user = await findUserByEmail(db, command.email)
    if (!user) return { status: 1, output: `There is no account with the email address ${command.email}.\n` }
    if (command.action === 'export') {
      const copy = await db.transaction((trx) => exportAccount(trx, user.id), {
        isolationLevel: 'repeatable read',
        readOnly: true,
      })
      return handOut({ exportedAt: new Date().toISOString(), ...copy }, command.file)
    }
    if (!command.isConfirmed) return { status: 1, output: await announcement(db, user) }
    const gone = await deleteAccount(db, user.id, { now: new Date(), tellApplicants: true })
    const atStripe =
      gone.stripeCustomerId === null ? '' : ` At Stripe they are still ${gone.stripeCustomerId}: delete that there.`
    const kept =
      gone.keptPayments === 0 ? '' : ` ${gone.keptPayments} payments stay under the number ${user.id}, without a name.`
    const output = `Deleted the account, ${gone.events} events and ${gone.applications} applications.${kept}${atStripe}\n`
    return { status: 0, output }
  })
}

async function announcement(db: Knex, user: UserRow): Promise<string> {
  const { rows } = await db.raw<{ rows: Record<string, number>[] }>(
    `select count(distinct e.id)::int as events, count(a.id)::int as applications,
       (count(distinct e.id) filter (where ${isUpcomingRow}))::int as upcoming,
       (select count(*)::int from payments where user_id = ? and provider = 'stripe') as payments,
       (select count(*)::int from applications where lower(email) = lower(?) and email <> '') as own
     from events e left join applications a on a.event_id = e.id where e.organizer_id = ?`,
    [new Date(), user.id, user.email, user.id],
  )
  const { events = 0, applications = 0, upcoming = 0, payments = 0, own = 0 } = rows[0] ?? {}
  const lines = [
    `${user.email} (${outgoingName(user.username)}, number ${user.id}${user.isAdmin ? ', an admin' : ''}). Deleting the account would delete`,
    `  ${events} events, ${upcoming} of them not over yet, with ${applications} applications; who counts on an event that is not over gets a mail that it is cancelled`,
    '  sessions, alerted devices, links and mails, and the copies on every device',
    ...(payments > 0
      ? [`and would keep ${payments} payments by card under the number alone, for bookkeeping and refunds`]
      : []),
    'The audit keeps its lines, with the number alone. Backups that were taken before keep everything.',
    ...(own > 0
      ? [`There are ${own} applications from this address too; they stay: npm run applicant -- --delete ${user.email}`]
      : []),
    `Nothing was deleted. To do it: npm run account -- --delete ${user.email} --yes`,
  ]
  return `${lines.join('\n')}\n`
}

await runAsProgram(import.meta.url, account)
