import { expect, it } from 'vitest'
import { createTestDatabase } from '../../sync-server/testing/test-database.ts'
import { runProgram } from '../../sync-server/testing/programs.ts'
import { account } from './account.ts'
import { admin } from './admin.ts'
import { applicant } from './applicant.ts'
import { backup } from './backup.ts'
import { demo } from './demo.ts'
import { newEpoch } from './new-epoch.ts'
import { restore } from './restore.ts'

const address = 'ada@example.com'
const personal = [[], ['--delete'], ['--export', 'nobody'], ['--delete', address, 'file'], [address]]

it.each([
  ['admin', admin, [[], ['--revoke'], [address, 'olivia@example.com'], ['--promote', address]]],
  ['demo', demo, [[], ['--remove', 'x'], ['remove']]],
  ['account', account, personal],
  ['applicant', applicant, personal],
  ['backup', backup, [[], ['--force'], ['file', 'another']]],
  ['restore', restore, [[], ['file', '--forced'], ['file', 'another']]],
  ['new-epoch', newEpoch, [['--force']]],
] as const)(
  'npm run %s, written wrongly, says how it is written, and touches nothing',
  async (name, command, wrong) => {
    for (const args of wrong) {
      // A setting that would be refused, had it been read.
      const { status, output } = await command(args, { DATABASE_URL: 'nonsense' })
      expect([args, status]).toEqual([args, 64])
      expect(output).toMatch(new RegExp(`^Usage: npm run ${name}( -- [^\n]+\n {7}npm run ${name})*[^\n]*\n$`))
    }
  },
)

it('a command shows no control character of what it found, and no address in a name', async () => {
  const database = await createTestDatabase()
  const { DATABASE_URL } = { DATABASE_URL: database.connectionString }
  await database.db('users').insert({
    username: 'Eve\u001b]0;owned\u0007 https://evil.example',
    email: 'eve\u009b2J@example.com',
    passwordHash: 'none',
  })
  const { output } = await runProgram('account', ['--delete', 'eve\u009b2J@example.com'], { DATABASE_URL })
  await database.drop()
  expect(output).toContain('eve2J@example.com (Eve ]0;owned, number')
  // eslint-disable-next-line no-control-regex
  expect(output).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
})

it('a command that npm starts ends with its status and says what it has to say', async () => {
  const output = 'Usage: npm run admin -- <email>\n       npm run admin -- --revoke <email>\n'
  expect(await runProgram('admin', [], {})).toEqual({ status: 64, output })
})
