import type { Knex } from 'knex'
import type { UsedIdRow } from './rows/operation-rows.ts'

/**
 * Tells whether something was deleted under the id, which posters, mails and queues still name. It is asked once a new
 * row has the id: an insertion waits for a deletion that is under way, and does not see it before.
 */
export async function isUsedId(trx: Knex, kind: UsedIdRow['kind'], id: number): Promise<boolean> {
  return (await trx('used_ids').where({ kind, id }).first('id')) !== undefined
}
