import { expect, inject, it } from 'vitest'
import { recogniseDatabase } from './database-went-back.ts'
import { createKnex } from '../db/knex-config.ts'
import { queueMails } from '../mail/mail-store.ts'
import { currentEpoch } from '../feed/epoch.ts'
import { newEpoch } from '../scripts/commands/new-epoch.ts'
import { addUser } from '../testing/account-rows.ts'
import { layAside } from '../testing/laid-aside-database.ts'
import { dropDatabase } from '../testing/template-database.ts'
import { setTestDatabase } from '../testing/test-database.ts'

const { db, connectionString } = await setTestDatabase()

const mail = (key: string) =>
  ({ kind: 'acknowledgement', key, to: { name: '', address: `${key}@example.com` }, payload: {} }) as const

it('a start on the same database changes nothing, the first one neither', async () => {
  const epoch = await currentEpoch(db)
  expect(await recogniseDatabase(db)).toBeUndefined()
  expect(await recogniseDatabase(db)).toBeUndefined()
  expect(await currentEpoch(db)).toBe(epoch)
})

it('a start on a database that was loaded from another one begins a new epoch, once', async () => {
  const epoch = await currentEpoch(db)
  await db.destroy()
  const copyName = await layAside(connectionString)
  const copy = createKnex(connectionString.replace(/[^/]+$/, copyName), { poolSize: 2 })
  try {
    const { epoch: begun } = (await recogniseDatabase(copy))!
    expect(begun).not.toBe(epoch)
    expect(await currentEpoch(copy)).toBe(begun)
    expect(await recogniseDatabase(copy)).toBeUndefined()
  } finally {
    await copy.destroy()
    await dropDatabase(inject('databaseAdminUrl'), copyName)
    db.initialize()
  }
})

it('npm run new-epoch says what it did: no number of a lost time is given out again, and waiting mails wait for a person', async () => {
  const userId = await addUser(db, 'olivia')
  await queueMails(db, [mail('waits'), { ...mail('is-held'), sendAt: new Date(Date.now() + 60_000) }, mail('was-sent')])
  await db('mails').where({ key: 'was-sent' }).update({ state: 'sent' })
  const epoch = await currentEpoch(db)
  expect(await newEpoch([], { DATABASE_URL: connectionString })).toEqual({
    status: 0,
    output:
      'A new epoch has begun: every device takes a fresh copy and offers again what this database does not know.\n' +
      '2 mails that waited may have left before; their organizers decide whether to send them again.\n',
  })
  expect(await currentEpoch(db)).not.toBe(epoch)
  expect(await db('mails').orderBy('key').select('key', 'state')).toEqual([
    { key: 'is-held', state: 'failed' },
    { key: 'waits', state: 'failed' },
    { key: 'was-sent', state: 'sent' },
  ])
  expect(await addUser(db, 'otto')).toBeGreaterThan(userId + 9_999)
})
