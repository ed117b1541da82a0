import type { Knex } from 'knex'

/** Whether the person in whose name a mail goes out has shown that their own e-mail address is theirs. */
export async function isConfirmed(db: Knex, organizerId: number | null): Promise<boolean> {
  if (organizerId === null) return false
  const organizer = await db('users').where({ id: organizerId }).first('emailVerifiedAt')
  return organizer !== undefined && organizer.emailVerifiedAt !== null
}
