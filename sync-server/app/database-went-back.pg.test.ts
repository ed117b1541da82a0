import { expect, inject, it } from 'vitest'
import { recogniseDatabase } from './database-went-back.ts'
import { createKnex } from '../db/knex-config.ts'
import { queueMails } from '../mail/mail-store.ts'
import { currentEpoch } from '../feed/epoch.ts'
import { newEpoch } from '../../scripts/commands/new-epoch.ts'
import { addUser } from '../testing/account-rows.ts'
import { layAside } from '../testing/laid-aside-database.ts'
import { dropDatabase } from '../testing/template-database.ts'
import { setTestDatabase } from '../testing/test-database.ts'
import { setTestServer } from '../testing/test-server.ts'

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

it('the identity names the timeline that is written, which a promotion changes at once', async () => {
  await recogniseDatabase(db)
  const { rows } = await db.raw<{ rows: { timeline: string }[] }>(
    'select substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) as timeline',
  )
  const row = await db('sync_epoch').first('databaseIdentity')
  expect(row?.databaseIdentity?.split('/').at(-1)).toBe(String(Number.parseInt(rows[0]!.timeline, 16)))
})

it('a running server begins a new epoch when listening resumes on another timeline', async () => {
  await setTestServer({ db })
  await recogniseDatabase(db)
  const epoch = await currentEpoch(db)
  await db('sync_epoch').update({ databaseIdentity: db.raw("regexp_replace(database_identity, '[0-9]+$', '0')") })
  await db.raw(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'beaconry-listen' and datname = current_database()",
  )
  await expect.poll(() => currentEpoch(db)).not.toBe(epoch)
})

it('npm run new-epoch ends sessions and links, holds waiting mails, and says so', async () => {
  const userId = await addUser(db, 'olivia')
  await queueMails(db, [mail('waits'), { ...mail('is-held'), sendAt: new Date(Date.now() + 60_000) }, mail('was-sent')])
  await db('mails').where({ key: 'was-sent' }).update({ state: 'sent' })
  const server = await setTestServer({ db })
  const member = await server.addMember('Marta')
  await db('account_links').insert({
    id: 'used-since',
    tokenHash: 'hash',
    purpose: 'reset',
    userId,
    email: 'olivia@example.com',
    createdAt: new Date(),
    expiresAt: new Date(Date.now() + 60_000),
  })
  const epoch = await currentEpoch(db)
  expect(await newEpoch([], { DATABASE_URL: connectionString })).toEqual({
    status: 0,
    output:
      'A new epoch has begun: everyone signs in again, every device takes a fresh copy and offers again what this database does not know.\n' +
      '2 mails that waited may have left before; their organizers decide whether to send them again.\n',
  })
  expect(await currentEpoch(db)).not.toBe(epoch)
  // What was ended in the lost time lives again otherwise; the device keeps what it has, and asks to sign in.
  expect((await member.call('listSessions')).body.code).toBe('session_expired')
  expect(await db('account_links')).toEqual([])
  expect(await db('mails').orderBy('key').select('key', 'state')).toEqual([
    { key: 'is-held', state: 'failed' },
    { key: 'waits', state: 'failed' },
    { key: 'was-sent', state: 'sent' },
  ])
})
