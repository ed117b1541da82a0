import type { Knex } from 'knex'
import type { UserRow } from '../db/rows/account-rows.ts'

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
  readonly madeLive: boolean
}

/** The user's row, held until the transaction ends: what follows is about this user alone. */
export async function lockUser(trx: Knex, userId: number): Promise<UserRow | undefined> {
  return await trx('users').where({ id: userId }).forNoKeyUpdate().first()
}

/** Adds a user who has yet to confirm the address; undefined when it or the username is taken. */
export async function insertUser(db: Knex, user: NewUser): Promise<UserRow | undefined> {
  const rows = await db('users')
    .insert({
      username: user.username,
      email: user.email,
      passwordHash: user.passwordHash,
      organizationName: user.organizationName,
      madeLive: user.madeLive,
      emailVerifiedAt: null,
    })
    .onConflict()
    .ignore()
    .returning('*')
  return rows[0]
}

/** Replaces a hash by another one of the same password, unless it was changed meanwhile. */
export async function replacePasswordHash(db: Knex, row: UserRow, passwordHash: string): Promise<void> {
  await db('users').where({ id: row.id, passwordHash: row.passwordHash }).update({ passwordHash })
}

/** Gives a user who has shown that the address is theirs another password. */
export async function resetPasswordHash(trx: Knex, userId: number, passwordHash: string, now: Date): Promise<void> {
  await trx('users')
    .where({ id: userId })
    .update({
      passwordHash,
      passwordChangedAt: now,
      emailVerifiedAt: trx.raw('coalesce(email_verified_at, ?)', [now]),
    })
}

/** Notes that a user reads mail at their address; it may be a new one. Answers false when another account has it. */
export async function confirmAddress(trx: Knex, userId: number, email: string, now: Date): Promise<boolean> {
  try {
    await trx.transaction(async (step) => {
      await step('users').where({ id: userId }).update({ email, emailVerifiedAt: now })
    })
    return true
  } catch (error) {
    if (isTaken(error)) return false
    throw error
  }
}

/** PostgreSQL's word for a value that has to be unique and is not. */
const isTaken = (error: unknown) => error instanceof Error && (error as { code?: unknown }).code === '23505'

/** Turns the mails about new applications on or off. Answers whether there is such a user. */
export async function setMailsAboutApplications(db: Knex, userId: number, isOn: boolean): Promise<boolean> {
  return (await db('users').where({ id: userId }).update({ mailNewApplications: isOn })) === 1
}

/**
 * Whom to mail about new applications: a user who wants it and has confirmed the address, or anyone could have strangers
 * mailed. Undefined when that is not so.
 */
export async function findReaderOfApplications(db: Knex, userId: number): Promise<UserRow | undefined> {
  return await db('users').where({ id: userId, mailNewApplications: true }).whereNotNull('emailVerifiedAt').first()
}

/** Whether a user wants mails about new applications. */
export async function wantsMailsAboutApplications(db: Knex, userId: number): Promise<boolean> {
  const row = await db('users').where({ id: userId }).first('mailNewApplications')
  return row?.mailNewApplications === true
}
