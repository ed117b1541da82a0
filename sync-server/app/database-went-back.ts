import type { Knex } from 'knex'
import type { Logger } from 'pino'
import { holdMailsForReview } from '../mail/mail-delivery.ts'
import { beginEpoch, isOtherDatabase } from '../feed/epoch.ts'

/**
 * In a backup of our own they are left out. Sessions that were ended in the lost time would live again, with the
 * passwords of before, and so would used links of mails; alerts end with their session.
 */
const endedByReturn = ['push_subscriptions', 'account_links', 'known_browsers', 'sessions'] as const

/**
 * Once after a restore, in the caller's transaction: devices take a new copy and offer lost changes again, everybody
 * signs in again, and a person decides about waiting mails.
 */
export async function databaseWentBack(trx: Knex): Promise<{ epoch: string; heldMails: number }> {
  for (const table of endedByReturn) await trx(table).delete()
  return { epoch: await beginEpoch(trx), heldMails: await holdMailsForReview(trx) }
}

/** Returns undefined unless the database was replaced since any server last looked. */
export async function recogniseDatabase(db: Knex): Promise<{ epoch: string; heldMails: number } | undefined> {
  return await db.transaction(async (trx) => ((await isOtherDatabase(trx)) ? await databaseWentBack(trx) : undefined))
}

/**
 * While the server runs: the address of the database may lead to a promoted standby from one moment to the next.
 * @throws when the database cannot be asked
 */
export async function noticeFailover(db: Knex, log: Logger): Promise<void> {
  const wentBack = await recogniseDatabase(db)
  if (wentBack) log.warn(wentBack, 'this is another database than before, and may have lost its newest changes')
}
