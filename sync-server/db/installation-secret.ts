import { randomBytes } from 'node:crypto'
import type { Knex } from 'knex'

/** 256 bits for each name, kept because links signed with it are in the world. */
export async function getInstallationSecret(db: Knex, name: string): Promise<string> {
  const stored = await readSecret(db, name)
  if (stored !== undefined) return stored
  const made = randomBytes(32).toString('base64url')
  await db('installation_secrets').insert({ name, secret: made }).onConflict('name').ignore()
  const kept = await readSecret(db, name)
  if (kept === undefined) throw new Error('The secret of this installation was not kept')
  return kept
}

async function readSecret(db: Knex, name: string): Promise<string | undefined> {
  const row = await db('installation_secrets').where({ name }).first('secret')
  return row?.secret
}
