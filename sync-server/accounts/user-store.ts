import type { Knex } from 'knex'
import type { UserRow } from '../db/rows/account-rows.ts'

export async function findUser(db: Knex, userId: number): Promise<UserRow | undefined> {
  return await db('users').where({ id: userId }).first()
}

/** In any case of letters. */
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

export async function lockUser(trx: Knex, userId: number): Promise<UserRow | undefined> {
  return await trx('users').where({ id: userId }).forNoKeyUpdate().first()
}

/** Unconfirmed; undefined when the address or username is taken. */
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

/** By another hash of the same password, unless that was changed meanwhile. */
export async function replacePasswordHash(db: Knex, row: UserRow, passwordHash: string): Promise<void> {
  await db('users').where({ id: row.id, passwordHash: row.passwordHash }).update({ passwordHash })
}

/** False, and nothing is written, when the password was replaced since `row` was read. */
export async function changePasswordHash(trx: Knex, row: UserRow, passwordHash: string, now: Date): Promise<boolean> {
  const changed = await trx('users')
    .where({ id: row.id })
    .whereRaw('password_changed_at is not distinct from ?::timestamptz', [row.passwordChangedAt as Knex.Value])
    .update({ passwordHash, passwordChangedAt: now })
  return changed === 1
}

/** The user has shown that the address is theirs. */
export async function resetPasswordHash(trx: Knex, userId: number, passwordHash: string, now: Date): Promise<void> {
  await trx('users')
    .where({ id: userId })
    .update({
      passwordHash,
      passwordChangedAt: now,
      emailVerifiedAt: trx.raw('coalesce(email_verified_at, ?)', [now]),
    })
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

export async function wantsMailsAboutApplications(db: Knex, userId: number): Promise<boolean> {
  const row = await db('users').where({ id: userId }).first('mailNewApplications')
  return row?.mailNewApplications === true
}
