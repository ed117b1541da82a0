import { hashSync } from '@node-rs/argon2'
import { beforeEach, describe, expect, it } from 'vitest'
import { accountDocument, addAlertedDevice } from '../testing/account-rows.ts'
import { createRouteRig, type RouteRig } from '../testing/route-rig.ts'
import { setTestDatabase } from '../testing/test-database.ts'

let rig: RouteRig

const { db } = await setTestDatabase()
beforeEach(async () => {
  await db('users').del()
  rig = createRouteRig(db)
})

const olivia = { username: 'Olivia', email: 'olivia@example.com', password: 'lantern' }
const register = async (changes: Record<string, unknown> = {}) =>
  await rig.run('register', { body: { ...olivia, ...changes } })
const login = async (email: string, password: string) => await rig.run('login', { body: { email, password } })

describe('signing up', () => {
  it('makes an account, signs in and publishes the account document', async () => {
    const answer = await register({ organizationName: ' Harbor Club ' })
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({
      username: 'Olivia',
      organizationName: 'Harbor Club',
      subscriptionTier: 'none',
      subscriptionEndDate: null,
      isAdmin: false,
    })
    expect(answer.text).not.toMatch(/lantern|argon2/)
    expect(answer.session).toEqual({ signIn: answer.body.id })
    const row = await db('users').where({ id: answer.body.id }).first()
    expect(row!.passwordHash).toMatch(/^\$argon2id\$v=19\$m=47104,t=1,p=1\$/)
    expect(await accountDocument(db, answer.body.id)).toEqual({
      teams: [],
      user: answer.body,
      subscription: null,
      plan: null,
      canCreateEvent: { canCreate: false, reason: "You don't have an active subscription." },
    })
  })

  it.each([
    ['username', { email: 'other@example.com', username: 'OLIVIA' }, 'This username is already taken'],
    ['email', { username: 'Other', email: 'Olivia@Example.com' }, 'An account with this email already exists'],
    ['email', { password: 'another password' }, 'An account with this email already exists'],
  ])('names the field that is taken: %s', async (field, changes, message) => {
    await register()
    const refused = await register(changes)
    expect(refused.status).toBe(409)
    expect(refused.body).toMatchObject({ code: 'already_exists', message, fields: { [field]: message } })
    expect(refused.session).toBeUndefined()
  })

  it('sent again after a lost answer signs in to the account it made, also as twins', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => register()))
    for (const { status, body, session } of [...answers, await register()])
      expect([status, body, session]).toEqual([201, answers[0]!.body, { signIn: body.id }])
    expect(await db('users')).toHaveLength(1)
  })
})

describe('signing in', () => {
  it('takes the address in any case and answers the user', async () => {
    const { body } = await register()
    const answer = await login(' OLIVIA@example.com', 'lantern')
    expect(answer.body).toEqual(body)
    expect(answer.session).toEqual({ signIn: body.id })
  })

  it('takes a password however a keyboard composes its letters, and counts it as composed', async () => {
    const typed = 'später ö'
    expect((await register({ password: typed.normalize('NFC') })).status).toBe(201)
    expect((await login(olivia.email, typed.normalize('NFD'))).status).toBe(200)
    const short = 'éééé'.normalize('NFD')
    expect((await register({ username: 'Other', email: 'other@example.com', password: short })).status).toBe(400)
  })

  it('refuses a wrong password and an unknown address with the same words', async () => {
    await register()
    const wrong = await login('olivia@example.com', 'wrong password')
    const unknown = await login('nobody@example.com', 'lantern')
    expect(wrong.status).toBe(401)
    expect(wrong.body).toMatchObject({ code: 'invalid_credentials', message: 'Invalid email or password' })
    expect(unknown.text).toBe(wrong.text)
    expect(rig.spent).toContain('login nobody@example.com 192.0.2.1')
  })

  it('replaces a hash that was made at another cost', async () => {
    const { body } = await register()
    const weak = hashSync('lantern', { memoryCost: 8192, timeCost: 1, parallelism: 1 })
    await db('users').where({ id: body.id }).update({ passwordHash: weak })
    expect((await login('olivia@example.com', 'lantern')).status).toBe(200)
    const row = await db('users').where({ id: body.id }).first()
    expect(row!.passwordHash).toMatch(/m=47104,t=1,p=1/)
    expect((await login('olivia@example.com', 'lantern')).status).toBe(200)
  })
})

describe('who is signed in', () => {
  it('is nobody after signing out, and that device is alerted no more', async () => {
    const ben = await rig.addPerson('Ben')
    const phone = { id: 'phone', name: 'Phone' }
    for (const device of ['phone', 'tablet']) await addAlertedDevice(db, ben.userId, device)
    const answer = await rig.run('logout', { as: ben, device: phone })
    expect(answer).toMatchObject({ status: 204, session: 'sign-out' })
    expect(await db('push_subscriptions').select('deviceId')).toEqual([{ deviceId: 'tablet' }])
    expect((await rig.run('logout')).status).toBe(204)
  })
})
