import type { Knex } from 'knex'
import { type Host, hostName } from '#shared/accounts/host.ts'
import type { MailRow } from '../db/rows/message-rows.ts'

/** Returns undefined for a mail about an account. */
export async function findHostOfMail(
  db: Knex,
  { organizerId, userId }: Pick<MailRow, 'organizerId' | 'userId'>,
): Promise<Host | undefined> {
  if (organizerId === null || userId !== null) return undefined
  const organizer = await db('users')
    .where({ id: organizerId, closedAt: null })
    .first('organizationName', 'username', 'contactEmail')
  return organizer && { name: hostName(organizer), contactEmail: organizer.contactEmail }
}
