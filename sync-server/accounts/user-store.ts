import type { Knex } from 'knex'
import { ProblemError, refusedField } from '../calls/problems.ts'
import type { UserRow } from '../db/rows/account-rows.ts'

export async function findUser(db: Knex, userId: number): Promise<UserRow | undefined> {
  return await db('users').where({ id: userId }).first()
}

/** Ignores the case of letters. */
export async function findUserByEmail(db: Knex, email: string): Promise<UserRow | undefined> {
  return await db('users').whereRaw('lower(email) = lower(?)', [email]).first()
}

export async function lockUser(trx: Knex, userId: number): Promise<UserRow | undefined> {
  return await trx('users').where({ id: userId }).forNoKeyUpdate().first()
}

export function existing(user: UserRow | undefined): UserRow {
  if (!user) throw new ProblemError('not_found', 'This account no longer exists.')
  return user
}

/** The account is not confirmed yet. Returns undefined when the address or username is taken. */
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

/** Returns false when another account has the name or address. The caller holds the user's row. */
export async function changeUser(
  trx: Knex,
  userId: number,
  columns: Partial<Omit<UserRow, 'id' | 'passwordHash'>>,
): Promise<boolean> {
  try {
    await trx.transaction((step) => step('users').where({ id: userId }).update(columns))
    return true
  } catch (error) {
    if ((error as { code?: unknown }).code === uniqueViolation) return false
    throw error
  }
}

const uniqueViolation = '23505'

export const emailTaken = () => refusedField('already_exists', 'email', 'An account with this email already exists')

export const nameTaken = () => refusedField('already_exists', 'username', 'This username is already taken')

export async function setMailsAboutApplications(db: Knex, userId: number, isOn: boolean): Promise<boolean> {
  return (await db('users').where({ id: userId }).update({ mailNewApplications: isOn })) === 1
}

/** What is kept of a deleted account has this in place of a hash. */
export const deletedPassword = 'deleted'

/** Finds only a user whose address is confirmed, because users could have strangers mailed otherwise. */
export async function findReaderOfApplications(db: Knex, userId: number): Promise<UserRow | undefined> {
  return await db('users').where({ id: userId, mailNewApplications: true }).whereNotNull('emailVerifiedAt').first()
}
