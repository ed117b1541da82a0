import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { connectionStringOf } from '../db/knex-config.ts'
import { addAlertedDevice } from '../testing/account-rows.ts'
import { addPayment, addSubscription } from '../testing/billing-rows.ts'
import { applicationBody, eventBody } from '../testing/route-rig.ts'
import { tablesHolding } from '../testing/tables-holding.ts'
import { setTestServer, type TestClient } from '../testing/test-server.ts'
import { account } from '../../scripts/commands/account.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'beaconry-account-'))
const email = 'Canaria@Zwitscher.example'
const words = ['canari', 'zwitscher']
const password = 'a long enough one'

let phone: TestClient
let userId: number
let otherId: number
const server = await setTestServer({ config: { smtpUrl: 'smtp://127.0.0.1:1' } })
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const runAccount = (...args: string[]) => account(args, { DATABASE_URL: connectionStringOf(server.db) })

/** Somebody who uses everything there is. */
async function liveALife(): Promise<{ upcoming: number; past: number }> {
  const { db } = server
  phone = server.client({ name: 'Canaria’s phone' })
  const signedUp = { username: 'Canaria', email, password, organizationName: 'Zwitscher e. V.' }
  userId = (await phone.ok('register', { body: signedUp })).id
  await server.client({ name: 'Canaria’s tablet' }).ok('login', { body: { email, password } })
  await addSubscription(db, userId, 3)
  await db('users').where({ id: userId }).update({ emailVerifiedAt: new Date() })
  const upcoming = (await phone.ok('createEvent', { body: eventBody({ name: 'Harbor Mixer' }) })).id
  const past = (await phone.ok('createEvent', { body: eventBody({ name: 'Zwitscher Evening' }) })).id
  const ids: number[] = []
  for (const [eventId, who] of [
    [upcoming, 'bea'],
    [upcoming, 'ben'],
    [past, 'bo'],
  ] as const) {
    const body = applicationBody({ email: `${who}@harbor.example` })
    ids.push((await server.client().ok('applyAsBeacon', { params: { eventId }, body })).id)
  }
  await phone.ok('decideApplication', { params: { beaconId: ids[0]! }, body: { status: 'approved' } })
  await phone.ok('decideApplication', { params: { beaconId: ids[2]! }, body: { status: 'approved' } })
  await phone.ok('markApplication', { params: { beaconId: ids[0]! }, body: { note: 'Met at Zwitscher' } })
  await phone.ok('requestEmailChange', { body: { email: 'new@zwitscher.example', password } })
  await server.client().ok('requestPasswordReset', { body: { email } })
  await addAlertedDevice(db, userId, phone.deviceId, { deviceName: 'Canaria’s phone' })
  await db('demo_mails').insert({ toName: 'C', toAddress: email, subject: '-', textPart: '-', htmlPart: '-' })
  await db('jobs').insert({ kind: 'k', key: 'k', payload: {}, state: 'dead', lastError: `550 no ${email}` })
  await db('events').where({ id: past }).update({ startDate: '2026-01-01', endDate: '2026-01-01' })
  await db('event_covers').insert({ eventId: past, sha256: '0', body: Buffer.from('cover'), createdAt: new Date() })
  otherId = await server.createUser('Otto')
  return { upcoming, past }
}

describe('an account', () => {
  it('is handed out whole, without what opens it and without what others wrote', async () => {
    await liveALife()
    const file = path.join(folder, 'copy.json')
    expect(await runAccount('--export', 'canaria@zwitscher.EXAMPLE', file)).toEqual({
      status: 0,
      output: `Written to ${file}, which only you can read.\n`,
    })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const copy = JSON.parse(readFileSync(file, 'utf8'))
    expect(copy.account).toMatchObject({ id: userId, email, organization_name: 'Zwitscher e. V.' })
    expect(copy.events.map((event: { name: string }) => event.name)).toEqual(['Harbor Mixer', 'Zwitscher Evening'])
    expect(copy.covers).toMatchObject([{ webp_base64: Buffer.from('cover').toString('base64') }])
    expect(JSON.stringify(copy)).not.toMatch(/argon2|harbor\.example|p256dh|_hash/)
    expect((await runAccount('--export', email, file)).output).toContain('overwrites nothing')
    expect((await runAccount('--export', 'nobody@harbor.example')).status).toBe(1)
  })

  it('is deleted only after what that means was said', async () => {
    const { status, output } = await runAccount('--delete', email)
    expect(output).toMatch(/2 events, 1 of them not over yet, with 3 applications/)
    expect(output).toContain('Nothing was deleted')
    expect(status).toBe(1)
    expect(await server.db('users').where({ id: userId }).first()).toBeDefined()
  })

  it('leaves nothing of the person but a number, and those who counted on it are told', async () => {
    const { db } = server
    expect(await tablesHolding(db, words)).toEqual(
      expect.arrayContaining(['users', 'sessions', 'account_links', 'mails', 'events', 'sync_log']),
    )
    const { output, status } = await runAccount('--delete', email, '--yes')
    expect(output).toBe('Deleted the account, 2 events and 3 applications.\n')
    expect(status).toBe(0)
    expect(await tablesHolding(db, words)).toEqual([])
    expect(await tablesHolding(db, ['harbor.example'])).toEqual(['mails'])
    expect(await db('mails').orderBy('toAddress').select('kind', 'toAddress', 'state')).toEqual([
      { kind: 'event-cancelled', toAddress: 'bea@harbor.example', state: 'queued' },
      { kind: 'event-cancelled', toAddress: 'ben@harbor.example', state: 'queued' },
    ])
    expect(await db('sync_log').where({ deleted: false })).toEqual([])
    expect((await phone.call('getUser')).status).toBe(401)
    expect(await db('users').select('id')).toEqual([{ id: otherId }])
    expect(await db('audit_log').where({ userId, route: 'deleteAccount' })).toHaveLength(1)
    expect(await runAccount('--delete', email, '--yes')).toEqual({
      status: 1,
      output: `There is no account with the email address ${email}.\n`,
    })
  })

  it('is a new one when signed up again; card payments stay under the number, sign-in is gone', async () => {
    const { db } = server
    const { id } = await server.client().ok('register', { body: { username: 'Canaria', email, password } })
    expect(id).not.toBe(userId)
    await db('users').where({ id }).update({ stripeCustomerId: 'cus_canary', isAdmin: true })
    await addPayment(db, id, { providerReference: 'pi_1', amountCents: 14900 })
    expect((await runAccount('--delete', email)).output).toContain('1 payments by card')
    const { output } = await runAccount('--delete', email, '--yes')
    expect(output).toContain(`1 payments stay under the number ${id}`)
    expect(output).toContain('cus_canary')
    expect(await tablesHolding(db, [...words, 'cus_canary'])).toEqual([])
    expect(await db('payments').select('userId', 'amountCents')).toEqual([{ userId: id, amountCents: 14900 }])
    const row = (await db('users').where({ id }).first())!
    expect(row).toMatchObject({ isAdmin: false, organizationName: null, emailVerifiedAt: null })
    for (const tried of [password, 'deleted', ''])
      expect((await server.client().call('login', { body: { email: row.email, password: tried } })).status).not.toBe(
        200,
      )
  })
})
