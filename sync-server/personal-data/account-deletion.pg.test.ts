import { describe, expect, it } from 'vitest'
import { applicationBody, eventBody } from '../testing/route-rig.ts'
import { DAY_MS, setAccountStage } from '../testing/account-stage.ts'
import { addSubscription } from '../testing/billing-rows.ts'
import { tablesHolding } from '../testing/tables-holding.ts'
import { deleteDueAccounts } from './delete-due-accounts.ts'

const stage = await setAccountStage()

const ask = async (password = 'lantern') => await stage.phone.call('requestAccountDeletion', { body: { password } })
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

  it('is kept by one press, also when it was asked for and taken back before the mail left', async () => {
    await stage.post()
    await ask()
    expect((await stage.phone.call('keepAccount')).status).toBe(204)
    expect((await stage.phone.call('keepAccount')).status).toBe(204)
    expect(await stage.post()).toEqual([])
    stage.wait(15 * DAY_MS)
    expect(await deleteDueAccounts(stage.db, stage.now())).toBe(0)
    expect((await accountRow())?.deletesAt).toBeNull()
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

  it('needs the password, and is none of the site’s own', async () => {
    const { status, body } = await ask('wrong lantern')
    expect([status, body.fields]).toEqual([403, { password: 'This is not your current password' }])
    for (const own of [{ isAdmin: true }, { isAdmin: false, demoRole: 'organizer' as const }]) {
      await stage.db('users').where({ id: stage.olivia.id }).update(own)
      const refused = await ask()
      expect([refused.status, refused.body.message]).toEqual([403, expect.stringContaining('Only its operator')])
    }
    expect((await accountRow())?.deletesAt).toBeNull()
  })
})
