import type { Knex } from 'knex'
import webPush from 'web-push'

export interface VapidKeys {
  /** URL-safe base64; the page subscribes with it. */
  readonly publicKey: string
  readonly privateKey: string
}

/**
 * This installation's key pair: made when first asked for, and kept in the database, for every subscription is bound to
 * it. Of several processes that start together one makes it.
 */
export async function getVapidKeys(db: Knex): Promise<VapidKeys> {
  const stored = await readKeys(db)
  if (stored) return stored
  const made = webPush.generateVAPIDKeys()
  await db('vapid_keys').insert({ publicKey: made.publicKey, privateKey: made.privateKey }).onConflict('id').ignore()
  const kept = await readKeys(db)
  if (!kept) throw new Error('The VAPID keys were not kept')
  return kept
}

async function readKeys(db: Knex): Promise<VapidKeys | undefined> {
  return await db('vapid_keys').first('publicKey', 'privateKey')
}
