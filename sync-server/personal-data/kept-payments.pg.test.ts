import { expect, it } from 'vitest'
import { addCompleteRows } from '../testing/complete-rows.ts'
import { setTestDatabase } from '../testing/test-database.ts'
import { listUserReferences } from '../testing/user-references.ts'
import { deleteAccount } from './delete-account.ts'

const { db } = await setTestDatabase()

/** The tables with a row that belongs to the account. */
async function tablesOf(userId: number): Promise<string[]> {
  const found: string[] = []
  for (const { table, column } of await listUserReferences(db))
    if (await db.from(table).where(column, userId).first()) found.push(table)
  return found
}

it('a deleted account that paid by card leaves its payments and plans alone under its number', async () => {
  const userId = Number((await addCompleteRows(db)).get('users')?.['id'])
  expect(await tablesOf(userId)).toEqual(expect.arrayContaining(['sessions', 'known_browsers', 'failed_sign_ins']))
  await db.transaction((trx) => deleteAccount(trx, userId, { now: new Date(), tellApplicants: false }))
  expect(await tablesOf(userId)).toEqual(['payments', 'user_subscriptions'])
})
