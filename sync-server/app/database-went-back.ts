import type { Knex } from 'knex'
import { holdMailsForReview } from '../mail/mail-delivery.ts'
import { beginEpoch, isOtherDatabase } from '../feed/epoch.ts'

/**
 * Everything that has to be done once when the database went back to an earlier moment, in the caller's transaction:
 * devices take a new copy and offer what was lost again, numbers of the lost time are not given out twice, and mails that
 * waited then, which may have left since, are for a person to decide.
 */
export async function databaseWentBack(trx: Knex): Promise<{ epoch: string; heldMails: number }> {
  return { epoch: await beginEpoch(trx), heldMails: await holdMailsForReview(trx) }
}

/** Looks at a start whether the database was replaced since the last one, and does what that asks for. Answers undefined if not. */
export async function recogniseDatabase(db: Knex): Promise<{ epoch: string; heldMails: number } | undefined> {
  return await db.transaction(async (trx) => ((await isOtherDatabase(trx)) ? await databaseWentBack(trx) : undefined))
}
