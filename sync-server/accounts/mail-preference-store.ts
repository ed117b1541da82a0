import type { Knex } from 'knex'
import type { UserRow } from '../db/rows/account-rows.ts'

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
