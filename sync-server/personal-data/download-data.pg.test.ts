import { afterEach, describe, expect, it } from 'vitest'
import { connectionStringOf } from '../db/knex-config.ts'
import { account } from '../scripts/commands/account.ts'
import { setAccountStage } from '../testing/account-stage.ts'
import { eventBody } from '../testing/route-rig.ts'
import { addSubscription } from '../testing/billing-rows.ts'
import { runCommand } from '../testing/run-command.ts'
import { statusesOf } from '../testing/test-server.ts'

const stage = await setAccountStage()

afterEach(async () => void (await stage.db('events').del()))

const download = async (password: string) => await stage.phone.call('downloadData', { body: { password } })

describe('the data of an account', () => {
  it('is downloaded as the command hands it out, of the caller alone', async () => {
    await addSubscription(stage.db, stage.olivia.id, 3)
    await stage.phone.call('createEvent', { body: eventBody({ name: 'Harbor Mixer' }) })
    const otto = stage.server.client()
    await otto.call('register', { body: { username: 'Otto', email: 'otto@harbor.example', password: 'lantern too' } })
    const { status, body, text } = await download('lantern')
    expect(status).toBe(200)
    const { output } = await runCommand(account, ['--export', stage.olivia.email], connectionStringOf(stage.db))
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
