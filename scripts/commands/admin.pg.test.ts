import { describe, expect, it } from 'vitest'
import { addUser } from '../../sync-server/testing/account-rows.ts'
import { setTestDatabase } from '../../sync-server/testing/test-database.ts'
import { admin } from './admin.ts'

const { db, connectionString } = await setTestDatabase()
for (const name of ['ada', 'olivia']) await addUser(db, name)

const runAdmin = (...args: string[]) => admin(args, { DATABASE_URL: connectionString })

async function admins(): Promise<string[]> {
  return (await db('users').where({ isAdmin: true }).select('email')).map((user) => user.email)
}

describe('npm run admin', () => {
  it('says when there is no such account, and changes nobody', async () => {
    const { status, output } = await runAdmin('nobody@example.com')
    expect(output).toContain('There is no account with the email address nobody@example.com')
    expect(status).toBe(1)
    expect(await admins()).toEqual([])
  })

  it('makes one account an admin, however its address is written', async () => {
    expect(await runAdmin('Ada@Example.com')).toEqual({ status: 0, output: 'Ada@Example.com is an admin now.\n' })
    expect(await admins()).toEqual(['ada@example.com'])
  })

  it('tells the devices of the account', async () => {
    const { body } = (await db('sync_log').where({ collection: 'account', deleted: false }).first())!
    expect(JSON.parse(body!)).toMatchObject({ user: { email: 'ada@example.com', isAdmin: true } })
  })

  it('makes an admin an ordinary account again, and says so when nobody is left', async () => {
    expect(await runAdmin('--revoke', 'olivia@example.com')).toEqual({
      status: 1,
      output: 'There is no admin with the email address olivia@example.com.\n',
    })
    await runAdmin('olivia@example.com')
    expect(await runAdmin('--revoke', 'ADA@example.com')).toEqual({
      status: 0,
      output: 'ADA@example.com is no admin any more.\n',
    })
    expect(await admins()).toEqual(['olivia@example.com'])
    expect((await runAdmin('--revoke', 'olivia@example.com')).output).toBe(
      'olivia@example.com is no admin any more. There is none now: npm run admin -- <email> makes one.\n',
    )
    expect(await admins()).toEqual([])
  })

  it('promotes no closed account', async () => {
    await db('users').where({ username: 'ada' }).update({ closedAt: new Date(), isAdmin: false })
    const { status, output } = await runAdmin('ada@example.com')
    expect(output).toContain('is closed')
    expect(status).toBe(1)
    expect(await admins()).toEqual([])
  })
})
