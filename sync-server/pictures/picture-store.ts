import type { Knex } from 'knex'
import type { RewrittenPicture } from './picture-child.ts'

/** Replaces the one before; null removes it. */
export async function storeCover(
  trx: Knex,
  eventId: number,
  picture: RewrittenPicture | null,
  now: Date,
): Promise<void> {
  await trx('event_covers').where({ eventId }).del()
  if (picture) await trx('event_covers').insert({ eventId, ...picture, createdAt: now })
  await trx('events')
    .where({ id: eventId })
    .update({ coverHash: picture?.sha256 ?? null })
}

/** Replaces the one before; null removes it. */
export async function storeFace(
  trx: Knex,
  applicationId: number,
  picture: RewrittenPicture | null,
  now: Date,
): Promise<void> {
  await trx('application_faces').where({ applicationId }).del()
  if (picture) await trx('application_faces').insert({ applicationId, ...picture, createdAt: now })
  await trx('applications')
    .where({ id: applicationId })
    .update({ faceHash: picture?.sha256 ?? null })
}
