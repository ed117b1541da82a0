import type { Knex } from 'knex'
import type { UserRow } from '../db/tables.ts'

export async function findUser(db: Knex, userId: number): Promise<UserRow | undefined> {
  return await db('users').where({ id: userId }).first()
}

/** Upper and lower case make no difference in an e-mail address. */
export async function findUserByEmail(db: Knex, email: string): Promise<UserRow | undefined> {
  return await db('users').whereRaw('lower(email) = lower(?)', [email]).first()
}

interface NewUser {
  readonly username: string
  readonly email: string
  readonly passwordHash: string
  readonly organizationName: string | null
}

/** Adds a user; undefined when the username or the e-mail address is taken. */
export async function insertUser(db: Knex, user: NewUser): Promise<UserRow | undefined> {
  const rows = await db('users')
    .insert({
      username: user.username,
      email: user.email,
      password_hash: user.passwordHash,
      organization_name: user.organizationName,
    })
    .onConflict()
    .ignore()
    .returning('*')
  return rows[0]
}

/** Replaces a hash by another one of the same password, unless it was changed meanwhile. */
export async function replacePasswordHash(db: Knex, row: UserRow, passwordHash: string): Promise<void> {
  await db('users').where({ id: row.id, password_hash: row.password_hash }).update({ password_hash: passwordHash })
}
