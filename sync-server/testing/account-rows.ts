import { randomBytes } from 'node:crypto'
import type { Knex } from 'knex'
import type { UserRow } from '../db/rows/account-rows.ts'
import { sessionHash } from '../http/session-cookies.ts'

/** A user whom no password signs in, unless `columns` bring the hash of one; answers the id. */
export async function addUser(
  db: Knex,
  username: string,
  columns: Partial<Pick<UserRow, 'isAdmin' | 'passwordHash'>> = {},
): Promise<number> {
  const email = `${username.toLowerCase()}@example.com`
  const [row] = await db('users')
    .insert({ username, email, passwordHash: 'none', ...columns })
    .returning('id')
  return row!.id
}

/** Signs somebody in without a password, by a session that ends tomorrow unless said otherwise; answers its cookie's value. */
export async function addSession(
  db: Knex,
  userId: number,
  { endsAt = new Date(Date.now() + 86_400_000), ...device }: SessionColumns = {},
): Promise<string> {
  const cookie = randomBytes(32).toString('base64url')
  const idHash = sessionHash(cookie)
  await db('sessions').insert({ idHash, userId, ...device, expiresAt: endsAt, absoluteExpiresAt: endsAt })
  return cookie
}

interface SessionColumns {
  readonly endsAt?: Date
  readonly deviceId?: string
  readonly deviceName?: string
}
