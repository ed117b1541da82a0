import { expect, it } from 'vitest'
import { currentEpoch } from '../../feed/epoch.ts'
import { queueMails } from '../../mail/mail-store.ts'
import { runCommand } from '../../testing/run-command.ts'
import { setTestDatabase } from '../../testing/test-database.ts'
import { newEpoch } from './new-epoch.ts'

const { db, connectionString } = await setTestDatabase()

// What else becomes of such a database is held by database-went-back.pg.test.ts.
it('npm run new-epoch begins a new epoch and says how many mails may have left before', async () => {
  const mail = { kind: 'acknowledgement', to: { name: '', address: 'ana@example.com' }, payload: {} } as const
  await queueMails(db, [
    { ...mail, key: 'waits' },
    { ...mail, key: 'is-held', sendAt: new Date(Date.now() + 60_000) },
  ])
  const before = await currentEpoch(db)
  expect(await runCommand(newEpoch, [], connectionString)).toEqual({
    status: 0,
    output:
      'A new epoch has begun: every device takes a fresh copy and offers again what this database does not know.\n' +
      '2 mails that waited may have left before; their organizers decide whether to send them again.\n',
  })
  expect(await currentEpoch(db)).not.toBe(before)
})
