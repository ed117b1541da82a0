import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { queueMails } from '../../mail/mail-store.ts'
import { currentEpoch } from '../../feed/epoch.ts'
import { runCommand } from '../../testing/run-command.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { newEpoch } from './new-epoch.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const runNewEpoch = (...args: string[]) => runCommand(newEpoch, args, database.connectionString)

async function nextEventId(): Promise<number> {
  const { rows } = await database.db.raw<{ rows: { id: number }[] }>(`select nextval('events_id_seq')::int as id`)
  return rows[0]!.id
}

describe('npm run new-epoch', () => {
  it('begins a new epoch, gives no number of the lost time out again and leaves waiting mails to a person', async () => {
    const { db } = database
    const to = { name: '', address: 'ana@example.com' }
    const mail = { kind: 'acknowledgement', to, payload: {} } as const
    await queueMails(db, [
      { ...mail, key: 'waits' },
      { ...mail, key: 'is-held', sendAt: new Date(Date.now() + 60_000) },
    ])
    const [before, number] = [await currentEpoch(db), await nextEventId()]
    expect(await runNewEpoch()).toEqual({
      status: 0,
      output:
        'A new epoch has begun: every device takes a fresh copy and offers again what this database does not know.\n' +
        '2 mails that waited may have left before; their organizers decide whether to send them again.\n',
    })
    expect(await currentEpoch(db)).not.toBe(before)
    expect(await nextEventId()).toBeGreaterThan(number + 9_999)
    expect(await db('mails').orderBy('key').select('key', 'state')).toEqual([
      { key: 'is-held', state: 'failed' },
      { key: 'waits', state: 'failed' },
    ])
  })
})
