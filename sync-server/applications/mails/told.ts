import type { Knex } from 'knex'
import type { WhenAndWhere } from '../../events/when-and-where.ts'
import type { MailRow } from '../../db/rows/mail-rows.ts'

/**
 * Keeps with a mail what it says about when and where, at the moment it is written: once it is sent, that is what its
 * reader knows.
 */
export async function noteTold(db: Knex, mail: Pick<MailRow, 'id'>, told: WhenAndWhere): Promise<void> {
  await db('mails')
    .where({ id: mail.id })
    .update({ payload: db.raw('payload || ?::jsonb', [JSON.stringify({ told })]) })
}

/** What an applicant was told last by a mail that was sent; undefined when none said when and where. */
export async function lastTold(db: Knex, applicationId: number): Promise<WhenAndWhere | undefined> {
  const { rows } = await db.raw<{ rows: { told: WhenAndWhere }[] }>(
    `select payload->'told' as told from mails
     where application_id = ? and state = 'sent' and payload->'told' is not null order by sent_at desc, id desc limit 1`,
    [applicationId],
  )
  return rows[0]?.told
}
