import { describe, expect, it } from 'vitest'
import { oliviaEmail, setAccountStage } from '../testing/account-stage.ts'
import { statusesOf } from '../testing/test-server.ts'

const stage = await setAccountStage()

const change = async (currentPassword: string, password = 'new lantern') =>
  await stage.phone.call('changePassword', { body: { currentPassword, password } })

describe('a change of password', () => {
  it('ends every other session, leaves this one, calls links off and tells the owner', async () => {
    await stage.phone.call('requestEmailChange', { body: { email: 'intruder@example.com', password: 'lantern' } })
    const { client: tablet } = await stage.signIn()
    await stage.post()
    expect((await change('lantern')).status).toBe(204)
    expect([await stage.phone.whoAmI(), await tablet.whoAmI()]).toEqual([200, 'session_revoked'])
    expect((await stage.signIn('lantern')).status).toBe(401)
    expect((await stage.signIn('new lantern')).status).toBe(200)
    const mails = await stage.post()
    expect(mails.map(({ to, subject }) => [to, subject])).toEqual([[[oliviaEmail], 'Your password was changed']])
    const open = await stage.db('account_links').where({ purpose: 'change', replacedAt: null })
    expect(open).toEqual([])
    const lines = await stage.db('audit_log').where({ route: 'changePassword' })
    expect(lines.map(({ status, userId }) => [status, userId])).toEqual([[204, stage.olivia.id]])
  })

  it('needs the current password, and changes nothing without it', async () => {
    const { client: tablet } = await stage.signIn()
    await stage.post()
    const { status, body } = await change('wrong lantern')
    expect([status, body.fields]).toEqual([403, { currentPassword: 'This is not your current password' }])
    expect(await tablet.whoAmI()).toBe(200)
    expect(await stage.post()).toEqual([])
    expect((await stage.signIn('lantern')).status).toBe(200)
  })

  it('sent again after a lost answer succeeds', async () => {
    expect((await change('lantern')).status).toBe(204)
    expect((await change('lantern')).status).toBe(204)
  })

  it('obeys the rules of signing up', async () => {
    expect((await change('lantern', 'short')).body.fields).toHaveProperty('password')
    expect((await change('lantern', 'olivia2026!')).body.fields).toEqual({
      password: 'This password is too easy to guess.',
    })
    expect((await stage.signIn('lantern')).status).toBe(200)
  })

  it('counts wrong passwords like signing in', async () => {
    expect(await statusesOf(6, () => change('wrong lantern'))).toEqual([403, 403, 403, 403, 403, 429])
    expect((await change('lantern')).status).toBe(429)
  })

  it('of two at once happens as one says, never as both', async () => {
    const answers = await Promise.all([change('lantern', 'one lantern'), change('lantern', 'other lantern')])
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 403])
  })
})
