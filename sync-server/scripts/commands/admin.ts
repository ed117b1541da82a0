import type { Knex } from 'knex'
import { accountChange } from '../../billing/account-document.ts'
import { findUserByEmail } from '../../accounts/user-store.ts'
import { migrate } from '../../db/migrate.ts'
import { recordChanges } from '../../feed/change-feed.ts'
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
    const { done, message } = await (isRevoke ? revoke(db, email) : promote(db, email))
    return { status: done ? 0 : 1, output: `${message}\n` }
  })
}

interface Done {
  readonly done: boolean
  readonly message: string
}

async function promote(db: Knex, email: string): Promise<Done> {
  const user = await findUserByEmail(db, email)
  if (!user) return { done: false, message: `There is no account with the e-mail address ${email}. Sign up first.` }
  if (user.closedAt !== null) {
    const message = `${email} is an account of the demo, which is closed on this server. Sign up with one of your own.`
    return { done: false, message }
  }
  await setAdmin(db, user.id, true)
  return { done: true, message: `${email} is an admin now.` }
}

async function revoke(db: Knex, email: string): Promise<Done> {
  const user = await findUserByEmail(db, email)
  if (!user?.isAdmin) return { done: false, message: `There is no admin with the e-mail address ${email}.` }
  await setAdmin(db, user.id, false)
  const isLast = (await db('users').where({ isAdmin: true }).first('id')) === undefined
  const warning = ' There is none now: npm run admin -- <email> makes one.'
  return { done: true, message: `${email} is no admin any more.${isLast ? warning : ''}` }
}

async function setAdmin(db: Knex, userId: number, isAdmin: boolean): Promise<void> {
  await db.transaction(async (trx) => {
    await trx('users').where({ id: userId }).update({ isAdmin })
    await recordChanges(trx, [await accountChange(trx, userId, new Date())])
  })
}

await runAsProgram(import.meta.url, admin)
