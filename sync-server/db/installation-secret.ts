import { randomBytes } from 'node:crypto'
import type { Knex } from 'knex'

/** 256 bits for each name, kept because links signed with it are in the world. */
export async function getInstallationSecret(db: Knex, name: string): Promise<string> {
  const read = async () => (await db('installation_secrets').where({ name }).first('secret'))?.secret
  const stored = await read()
  if (stored !== undefined) return stored
  const made = randomBytes(32).toString('base64url')
  await db('installation_secrets').insert({ name, secret: made }).onConflict('name').ignore()
  const kept = await read()
  if (kept === undefined) throw new Error('The secret of this installation was not kept')
  return kept
}
