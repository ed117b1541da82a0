import { afterEach, describe, expect, it } from 'vitest'
import { connectionStringOf } from '../db/knex-config.ts'
import { account } from '../../scripts/commands/account.ts'
import { applicationBody, eventBody } from '../testing/route-rig.ts'
import { DAY_MS, setAccountStage } from '../testing/account-stage.ts'
import { addSubscription } from '../testing/billing-rows.ts'
import { tablesHolding } from '../testing/tables-holding.ts'
import { statusesOf } from '../testing/test-server.ts'
import { deleteDueAccounts } from './delete-account.ts'

const stage = await setAccountStage()

afterEach(async () => void (await stage.db('events').del()))

const ask = async (password = 'lantern') => await stage.phone.call('requestAccountDeletion', { body: { password } })
const keep = async (password = 'lantern') => await stage.phone.call('keepAccount', { body: { password } })
const accountRow = async () => await stage.db('users').where({ id: stage.olivia.id }).first()

describe('an account that its owner wants deleted', () => {
  it('works on for fourteen days, says so by mail and on every device, and keeps the first date', async () => {
    await stage.post()
    const { status, body } = await ask()
    expect([status, Date.parse(body.deletesAt) - stage.now().getTime()]).toEqual([200, expect.closeTo(14 * DAY_MS, -4)])
    stage.wait(DAY_MS)
    expect((await ask()).body.deletesAt).toBe(body.deletesAt)
    const mails = await stage.post()
    expect(mails.map(({ subject }) => subject)).toEqual([
      expect.stringMatching(/^Your account will be deleted on .+ \d/),
    ])
    expect(mails[0]?.text).toContain('/account-settings')
    const { client } = await stage.signIn()
    expect((await client.call('getUser')).body.deletesAt).toBe(body.deletesAt)
    const [told] = await stage.db('sync_log').where({ scope: `account:${stage.olivia.id}`, collection: 'account' })
    expect(told?.body).toContain(body.deletesAt)
  })

  it('is kept with its password, and a mail says so, also before the first mail left', async () => {
    await stage.post()
    await ask()
    expect([(await keep()).status, (await keep()).status]).toEqual([204, 204])
    const mails = await stage.post()
    expect(mails.map(({ to, subject }) => [to, subject])).toEqual([[[stage.olivia.email], 'Your account stays']])
    expect(mails[0]?.text).toContain('/auth#forgot')
    stage.wait(15 * DAY_MS)
    expect(await deleteDueAccounts(stage.db, stage.now())).toBe(0)
    expect((await accountRow())?.deletesAt).toBeNull()
  })

  it('is kept when that was taken back, and asked for anew, just before its turn came', async () => {
    await ask()
    stage.wait(15 * DAY_MS)
    const owner = await stage.db.transaction()
    const deletesAt = new Date(stage.now().getTime() + 14 * DAY_MS)
    await owner('users').where({ id: stage.olivia.id }).update({ deletesAt })
    const deleting = deleteDueAccounts(stage.db, stage.now())
    const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await expect.poll(async () => (await stage.db.raw(waiting)).rows).toHaveLength(1)
    await owner.commit()
    expect([await deleting, (await accountRow())?.deletesAt]).toEqual([0, deletesAt])
  })

  it('is deleted when the grace is over, with all it has, and applicants and owner are told', async () => {
    const { db } = stage
    await addSubscription(db, stage.olivia.id, 3)
    await db('users').where({ id: stage.olivia.id }).update({ emailVerifiedAt: new Date(), stripeCustomerId: 'cus_1' })
    const { body: event } = await stage.phone.call('createEvent', { body: eventBody() })
    await stage.server.client().call('applyAsBeacon', {
      params: { eventId: event.id },
      body: applicationBody({ email: 'bea@harbor.example' }),
    })
    await ask()
    await stage.post()
    stage.wait(14 * DAY_MS - 60_000)
    expect(await deleteDueAccounts(db, stage.now())).toBe(0)
    stage.wait(120_000)
    const now = stage.now()
    const counts = await Promise.all([deleteDueAccounts(db, now), deleteDueAccounts(db, now)])
    expect(counts.sort()).toEqual([0, 1])
    expect((await stage.phone.call('getUser')).status).toBe(401)
    expect(await db('users')).toEqual([])
    expect(await db('events')).toEqual([])
    const mails = await stage.post()
    expect(mails.map(({ to, subject }) => [to, subject]).sort()).toEqual([
      [['bea@harbor.example'], 'Cancelled: Harbor Mixer'],
      [[stage.olivia.email], 'Your account was deleted'],
    ])
    expect(await tablesHolding(db, ['cus_1'])).toEqual(['jobs'])
    expect(await db('audit_log').where({ route: 'deleteAccount' }).select('userId', 'requestId')).toEqual([
      { userId: stage.olivia.id, requestId: 'grace' },
    ])
  })

  it('is none of the site’s own', async () => {
    for (const own of [{ isAdmin: true }, { isAdmin: false, demoRole: 'organizer' as const }]) {
      await stage.db('users').where({ id: stage.olivia.id }).update(own)
      const refused = await ask()
      expect([refused.status, refused.body.message]).toEqual([403, expect.stringContaining('Only its operator')])
    }
    expect((await accountRow())?.deletesAt).toBeNull()
  })
})

const download = async (password: string) => await stage.phone.call('downloadData', { body: { password } })

describe('the data of an account', () => {
  it('is downloaded as the command hands it out, of the caller alone', async () => {
    await addSubscription(stage.db, stage.olivia.id, 3)
    await stage.phone.call('createEvent', { body: eventBody({ name: 'Harbor Mixer' }) })
    const otto = stage.server.client()
    await otto.call('register', { body: { username: 'Otto', email: 'otto@harbor.example', password: 'lantern too' } })
    const { status, body, text } = await download('lantern')
    expect(status).toBe(200)
    const { output } = await account(['--export', stage.olivia.email], { DATABASE_URL: connectionStringOf(stage.db) })
    const { exportedAt: _, ...downloaded } = body as Record<string, unknown>
    const { exportedAt: __, audit, ...handedOut } = JSON.parse(output)
    expect(downloaded).toEqual({ ...handedOut, audit: expect.any(Array) })
    expect(handedOut.events).toMatchObject([{ name: 'Harbor Mixer' }])
    expect(audit.at(-1)).toMatchObject({ route: 'downloadData', status: 200 })
    expect(text).not.toMatch(/otto|argon2|_hash/i)
  })

  it('is asked for five times an hour at most', async () => {
    expect(await statusesOf(6, () => download('lantern'))).toEqual([200, 200, 200, 200, 200, 429])
  })

  it('is not collected where its pictures are too large for one answer', async () => {
    const { db } = stage
    await addSubscription(db, stage.olivia.id, 3)
    const { body: event } = await stage.phone.call('createEvent', { body: eventBody() })
    await db.raw(`alter table event_covers drop constraint event_covers_body_check`)
    const body = Buffer.alloc(16 * 1024 * 1024 + 1)
    await db('event_covers').insert({ eventId: event.id, sha256: '0', body, createdAt: new Date() })
    const { status, body: refused } = await download('lantern')
    expect([status, refused.message]).toEqual([503, expect.stringContaining('too large')])
  })
})
