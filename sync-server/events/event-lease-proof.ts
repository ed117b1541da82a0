import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Knex } from 'knex'
import { getInstallationSecret } from '../db/installation-secret.ts'

/** Made by a migration, so that every backup holds it. */
const secretName = 'event-number-lease'

/** Says of an event number that it was given to an account, in a way that outlives the database's own memory of it. */
export async function leaseProver(db: Knex): Promise<(userId: number, eventId: number) => string> {
  const secret = await getInstallationSecret(db, secretName)
  return (userId, eventId) => proofOf(secret, userId, eventId)
}

/** Whether a proof is ours, for this account and this number. It says nothing about whether the number was used. */
export async function isLeaseProof(
  db: Knex,
  { userId, eventId, proof }: { readonly userId: number; readonly eventId: number; readonly proof: string },
): Promise<boolean> {
  const expected = Buffer.from(proofOf(await getInstallationSecret(db, secretName), userId, eventId))
  const given = Buffer.from(proof)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

const proofOf = (secret: string, userId: number, eventId: number) =>
  createHmac('sha256', secret).update(`event-number:${userId}:${eventId}`).digest('base64url')
