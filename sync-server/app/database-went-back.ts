import type { Knex } from 'knex'
import { holdMailsForReview } from '../mail/mail-delivery.ts'
import { beginEpoch, isOtherDatabase } from '../feed/epoch.ts'

/**
 * Once after a restore, in the caller's transaction: devices take a new copy and offer lost changes again, lost numbers
 * are not given out twice, and a person decides about waiting mails.
 */
export async function databaseWentBack(trx: Knex): Promise<{ epoch: string; heldMails: number }> {
  return { epoch: await beginEpoch(trx), heldMails: await holdMailsForReview(trx) }
}

/** At a start; undefined unless the database was replaced since the last one. */
export async function recogniseDatabase(db: Knex): Promise<{ epoch: string; heldMails: number } | undefined> {
  return await db.transaction(async (trx) => ((await isOtherDatabase(trx)) ? await databaseWentBack(trx) : undefined))
}
