import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  await database.db('users').insert([
    { username: 'ada', email: 'ada@example.com', password_hash: '-' },
    { username: 'olivia', email: 'olivia@example.com', password_hash: '-' },
  ])
})
afterAll(() => database.drop())

async function admin(...args: string[]): Promise<{ status: number; output: string }> {
  const env = { PATH: process.env['PATH'] ?? '', DATABASE_URL: database.connectionString }
  const command = ['--import', 'tsx', 'sync-server/scripts/admin.ts', ...args]
  return await new Promise((resolve) => {
    execFile(process.execPath, command, { cwd: root, env }, (error, stdout, stderr) => {
      resolve({ status: typeof error?.code === 'number' ? error.code : 0, output: stdout + stderr })
    })
  })
}

async function admins(): Promise<string[]> {
  return (await database.db('users').where({ is_admin: true }).select('email')).map((user) => user.email)
}

describe('npm run admin', () => {
  it('says when there is no such account, and changes nobody', async () => {
    const { status, output } = await admin('nobody@example.com')
    expect(output).toContain('There is no account with the e-mail address nobody@example.com')
    expect(status).toBe(1)
    expect(await admins()).toEqual([])
  })

  it('explains itself without an address', async () => {
    expect(await admin()).toEqual({ status: 64, output: 'Usage: npm run admin -- <email>\n' })
  })

  it('makes one account an admin, however its address is written', async () => {
    expect(await admin('Ada@Example.com')).toEqual({ status: 0, output: 'Ada@Example.com is an admin now.\n' })
    expect(await admins()).toEqual(['ada@example.com'])
  })
})
