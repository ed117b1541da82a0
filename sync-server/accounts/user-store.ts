import type { Knex } from 'knex'
import type { UserRow } from '../db/rows/account-rows.ts'

export async function findUser(db: Knex, userId: number): Promise<UserRow | undefined> {
  return await db('users').where({ id: userId }).first()
}

/** In any case of letters. */
export async function findUserByEmail(db: Knex, email: string): Promise<UserRow | undefined> {
  return await db('users').whereRaw('lower(email) = lower(?)', [email]).first()
}

export async function lockUser(trx: Knex, userId: number): Promise<UserRow | undefined> {
  return await trx('users').where({ id: userId }).forNoKeyUpdate().first()
}

/** Unconfirmed; undefined when the address or username is taken. */
export async function insertUser(
  db: Knex,
  user: Pick<UserRow, 'username' | 'email' | 'passwordHash' | 'organizationName' | 'madeLive'>,
): Promise<UserRow | undefined> {
  const rows = await db('users')
    .insert({ ...user, emailVerifiedAt: null })
    .onConflict()
    .ignore()
    .returning('*')
  return rows[0]
}

/** `email` may be new. False when another account has it. */
export async function confirmAddress(trx: Knex, userId: number, email: string, now: Date): Promise<boolean> {
  return await unlessTaken(trx, async (step) => {
    await step('users').where({ id: userId }).update({ email, emailVerifiedAt: now })
  })
}

async function unlessTaken(trx: Knex, write: (step: Knex) => Promise<void>): Promise<boolean> {
  try {
    await trx.transaction(write)
    return true
  } catch (error) {
    if (isTaken(error)) return false
    throw error
  }
}

const isTaken = (error: unknown) => error instanceof Error && (error as { code?: unknown }).code === '23505'

/** False when another account has the name. */
export async function setUsername(trx: Knex, { id }: UserRow, username: string): Promise<boolean> {
  return await unlessTaken(trx, async (step) => {
    await step('users').where({ id }).update({ username })
  })
}

/** The caller holds the user's row. */
export async function setHost(
  trx: Knex,
  userId: number,
  host: Partial<Pick<UserRow, 'organizationName' | 'contactEmail'>>,
): Promise<void> {
  if (Object.keys(host).length > 0) await trx('users').where({ id: userId }).update(host)
}

/** Null: not at all. The caller holds the user's row. */
export async function setDeletion(trx: Knex, userId: number, deletesAt: Date | null): Promise<void> {
  await trx('users').where({ id: userId }).update({ deletesAt })
}

export async function setMailsAboutApplications(db: Knex, userId: number, isOn: boolean): Promise<boolean> {
  return (await db('users').where({ id: userId }).update({ mailNewApplications: isOn })) === 1
}

/** Only with a confirmed address, or a user could have strangers mailed. Undefined otherwise. */
export async function findReaderOfApplications(db: Knex, userId: number): Promise<UserRow | undefined> {
  return await db('users').where({ id: userId, mailNewApplications: true }).whereNotNull('emailVerifiedAt').first()
}
