import type { Knex } from 'knex'
import { accountChange } from '../../sync-server/billing/account-document.ts'
import { findUserByEmail } from '../../sync-server/accounts/user-store.ts'
import { migrate } from '../../sync-server/db/migrate.ts'
import { recordChanges } from '../../sync-server/feed/change-feed.ts'
import { runAsProgram, usage, type Ended, type Environment } from './command.ts'
import { onConfiguredDatabase } from './open-database.ts'

/** `npm run admin -- [--revoke] <email>`. A running server obeys from the next request on. */
export async function admin(args: readonly string[], env: Environment): Promise<Ended> {
  const isRevoke = args[0] === '--revoke'
  const [email, ...more] = isRevoke ? args.slice(1) : args
  if (email === undefined || !email.includes('@') || email.startsWith('-') || more.length > 0)
    return usage('admin -- <email>', 'admin -- --revoke <email>')
  return await onConfiguredDatabase(env, {}, async (db) => {
    await migrate(db)
    return await (isRevoke ? revoke(db, email) : promote(db, email))
  })
}

const refused = (reason: string): Ended => ({ status: 1, output: `${reason}\n` })

async function promote(db: Knex, email: string): Promise<Ended> {
  const user = await findUserByEmail(db, email)
  if (!user) return refused(`There is no account with the email address ${email}. Sign up first.`)
  if (user.closedAt !== null)
    return refused(`The account ${email} is closed. An admin can reopen it on the admin dashboard.`)
  await setAdmin(db, user.id, true)
  return { status: 0, output: `${email} is an admin now.\n` }
}

async function revoke(db: Knex, email: string): Promise<Ended> {
  const user = await findUserByEmail(db, email)
  if (!user?.isAdmin) return refused(`There is no admin with the email address ${email}.`)
  await setAdmin(db, user.id, false)
  const isLast = (await db('users').where({ isAdmin: true }).first('id')) === undefined
  const warning = ' There is none now: npm run admin -- <email> makes one.'
  return { status: 0, output: `${email} is no admin any more.${isLast ? warning : ''}\n` }
}

async function setAdmin(db: Knex, userId: number, isAdmin: boolean): Promise<void> {
  await db.transaction(async (trx) => {
    await trx('users').where({ id: userId }).update({ isAdmin })
    await recordChanges(trx, [await accountChange(trx, userId, new Date())])
  })
}

await runAsProgram(import.meta.url, admin)
