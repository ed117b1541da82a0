import { beforeEach, describe, expect, it } from 'vitest'
import type { ArrivedMail } from '../testing/mail/mail-post.ts'
import { accountDocument } from '../testing/account-rows.ts'
import { DAY_MS, oliviaEmail, setAccountStage, tokenIn } from '../testing/account-stage.ts'
import { statusesOf, type TestClient } from '../testing/test-server.ts'

const stage = await setAccountStage()

const confirm = async (token: string, as?: TestClient) =>
  await stage.server.call('confirmEmail', { body: { token }, ...(as ? { as } : {}) })
const ask = async (body: Record<string, unknown>, as = stage.phone) => await as.call('requestEmailChange', { body })
const me = async (client = stage.phone) => (await client.call('getUser')).body
const mailTo = (mails: readonly ArrivedMail[], address: string) => mails.filter(({ to }) => to[0] === address)

describe('after signing up', () => {
  it('a link confirms the address, opened by anybody anywhere, and every device hears of it', async () => {
    expect((await me()).emailVerified).toBe(false)
    const mails = await stage.post()
    expect(mails.map(({ to, subject }) => [to, subject])).toEqual([[[oliviaEmail], 'Please confirm your email']])
    const answer = await confirm(tokenIn(mails[0]!))
    expect([answer.status, answer.body]).toEqual([200, { purpose: 'verify', email: oliviaEmail }])
    expect((await me()).emailVerified).toBe(true)
    expect((await accountDocument(stage.db, stage.olivia.id)).user.emailVerified).toBe(true)
  })

  it('everything works before the address is confirmed', async () => {
    expect((await stage.phone.call('createSubscription', { body: { planId: 1 } })).status).toBe(200)
    expect((await stage.signIn()).status).toBe(200)
  })

  it('opening the link again, or twenty times together, is the same as once', async () => {
    const token = tokenIn((await stage.post())[0]!)
    const answers = await Promise.all(Array.from({ length: 20 }, () => confirm(token)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect((await confirm(token)).body).toEqual({ purpose: 'verify', email: oliviaEmail })
    const spent = await stage.db('account_links').whereNotNull('usedAt')
    expect(spent).toHaveLength(1)
  })

  it('the link works for seven days; a new one can be asked for until it is confirmed', async () => {
    const first = tokenIn((await stage.post())[0]!)
    stage.wait(7 * DAY_MS + 1000)
    const late = await confirm(first)
    expect([late.status, late.body.message]).toEqual([410, 'This link has expired.'])
    const again = await stage.phone.call('resendVerification')
    expect([again.status, again.body.message]).toEqual([
      200,
      `A link is on its way to ${oliviaEmail}. It works for seven days.`,
    ])
    const second = tokenIn((await stage.post())[0]!)
    expect((await confirm(second)).status).toBe(200)
    expect((await stage.phone.call('resendVerification')).body.message).toBe('Your email is confirmed already.')
    expect(await stage.post()).toEqual([])
  })

  it('five more links an hour are sent, not six', async () => {
    expect(await statusesOf(6, () => stage.phone.call('resendVerification'))).toEqual([200, 200, 200, 200, 200, 429])
  })

  it('a person is greeted by name once the address is confirmed, and never before', async () => {
    const link = tokenIn((await stage.post())[0]!)
    const resetMail = async () => {
      await stage.server.call('requestPasswordReset', { body: { email: oliviaEmail } })
      const [mail] = await stage.post()
      return mail!.raw + mail!.text
    }
    expect(await resetMail()).not.toContain('Olivia')
    await confirm(link)
    expect(await resetMail()).toContain('Hello Olivia,')
  })

  it('a link for a new password does not confirm, and a confirmed account was asked once', async () => {
    await stage.server.call('requestPasswordReset', { body: { email: oliviaEmail } })
    const reset = (await stage.post()).find(({ subject }) => subject === 'Choose a new password')
    expect((await confirm(tokenIn(reset!))).status).toBe(404)
    expect((await me()).emailVerified).toBe(false)
  })
})

describe('another address', () => {
  const right = { email: 'new@example.com', password: 'lantern' }
  let tablet: TestClient
  beforeEach(async () => {
    await confirm(tokenIn((await stage.post())[0]!))
    tablet = (await stage.signIn()).client
  })

  it('takes effect when the link sent there is opened; the old one is told before and after', async () => {
    expect((await ask(right)).body.message).toContain('new@example.com')
    const asked = await stage.post()
    expect(asked.map(({ to, subject }) => [to[0], subject])).toEqual([
      ['new@example.com', 'Please confirm your new email'],
      [oliviaEmail, 'A new email was requested'],
    ])
    expect(asked[1]!.raw + asked[1]!.text + asked[1]!.html).not.toContain('new@')
    expect((await me()).email).toBe(oliviaEmail)

    const token = tokenIn(asked[0]!)
    expect((await confirm(token)).body).toEqual({ purpose: 'change', email: 'new@example.com' })
    expect((await stage.post()).map(({ to, subject }) => [to[0], subject])).toEqual([
      [oliviaEmail, 'Your email was changed'],
    ])
    expect(await Promise.all([stage.phone, tablet].map(async (client) => (await me(client)).email))).toEqual([
      'new@example.com',
      'new@example.com',
    ])
    expect((await stage.signIn()).status).toBe(401)
    expect((await stage.server.call('login', { body: right })).status).toBe(200)
    expect((await confirm(token)).status).toBe(200)
    expect(await stage.post()).toEqual([])
  })

  it('ends the links that were sent to the old one', async () => {
    await stage.server.call('requestPasswordReset', { body: { email: oliviaEmail } })
    await ask(right)
    const mails = await stage.post()
    const [toNew, toOld] = [mailTo(mails, 'new@example.com')[0]!, mails.find(({ text }) => text.includes('#reset='))!]
    await confirm(tokenIn(toNew))
    const answer = await stage.server.call('resetPassword', { body: { token: tokenIn(toOld), password: 'mine now' } })
    expect(answer.status).toBe(410)
  })

  it('is called off by a new password', async () => {
    await ask(right)
    const change = tokenIn(mailTo(await stage.post(), 'new@example.com')[0]!)
    await stage.server.call('requestPasswordReset', { body: { email: oliviaEmail } })
    const reset = tokenIn((await stage.post())[0]!)
    await stage.server.call('resetPassword', { body: { token: reset, password: 'new lantern' } })
    const late = await confirm(change)
    expect([late.status, late.body.message]).toEqual([
      410,
      'This link no longer works: a newer one was sent, or it was cancelled.',
    ])
    expect((await stage.signIn('new lantern')).status).toBe(200)
  })

  it.each([
    [{ ...right, password: 'wrong password' }, 403, { password: 'This is not your current password' }],
    [{ ...right, email: 'Otto@Example.com' }, 409, { email: 'An account with this email already exists' }],
    [{ ...right, email: oliviaEmail.toUpperCase() }, 400, { email: 'This is your email already' }],
    [{ ...right, email: 'nobody' }, 400, { email: 'Please enter a valid email address' }],
  ])('%j is refused with %i beside its field, and the session stands', async (body, status, fields) => {
    await stage.server.createUser('Otto')
    const answer = await ask(body)
    expect([answer.status, answer.body.fields]).toEqual([status, fields])
    expect((await stage.phone.call('getUser')).status).toBe(200)
    expect(await stage.post()).toEqual([])
  })

  it("brings a stranger's mailbox ten links a day at most, whichever accounts ask for them", async () => {
    const statuses: number[] = []
    for (let account = 0; account < 4; account += 1) {
      const client = stage.server.client()
      const body = { username: `Asker${account}`, email: `asker-${account}@example.com`, password: 'lantern' }
      await client.call('register', { body })
      const askForBens = (n: number) =>
        ask({ email: n % 2 ? 'Ben@example.com' : 'ben@example.com', password: 'lantern' }, client)
      statuses.push(...(await statusesOf(3, askForBens)))
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429, 429])
  })

  it('that two people want goes to the one who confirms it first', async () => {
    const ben = stage.server.client()
    await ben.call('register', { body: { username: 'Ben', email: 'ben@example.com', password: 'lantern' } })
    await stage.post()
    await ask(right)
    await ask(right, ben)
    const tokens = mailTo(await stage.post(), 'new@example.com').map(tokenIn)
    expect(tokens).toHaveLength(2)
    const answers = await Promise.all(tokens.flatMap((token) => Array.from({ length: 10 }, () => confirm(token))))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10)
    const lost = answers.filter(({ status }) => status !== 200)
    expect(new Set(lost.map(({ status, body }) => `${status} ${body.message}`))).toEqual(
      new Set(['409 An account with this email already exists']),
    )
    const emails = [(await me()).email, (await me(ben)).email]
    expect(emails.filter((email) => email === 'new@example.com')).toHaveLength(1)
  })
})

it('a mistyped address is put right before it was ever confirmed', async () => {
  await stage.post()
  const same = await ask({ email: oliviaEmail, password: 'lantern' })
  expect(same.body.message).toContain('seven days')
  expect((await stage.post()).map(({ subject }) => subject)).toEqual(['Please confirm your email'])
  await ask({ email: 'right@example.com', password: 'lantern' })
  const mails = await stage.post()
  await confirm(tokenIn(mailTo(mails, 'right@example.com')[0]!))
  expect(await me()).toMatchObject({ email: 'right@example.com', emailVerified: true })
})
