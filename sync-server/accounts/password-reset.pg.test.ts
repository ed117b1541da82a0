import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { purgeExpired } from '../testing/purge-expired.ts'
import { DAY_MS, HOUR_MS, oliviaEmail, setAccountStage, tokenIn } from '../testing/account-stage.ts'
import { startPushService } from '../testing/push/push-service.ts'
import { startTestServer, statusesOf } from '../testing/test-server.ts'
import { createAccountTasks } from './account-mails.ts'
import { accountHandlers } from './account-handlers.ts'
import { createPasswords } from './passwords.ts'

const pushService = await startPushService()
afterAll(() => pushService.close())
const stage = await setAccountStage({ config: { pushHosts: [pushService.host] } })

const ask = async (email = oliviaEmail) => await stage.server.call('requestPasswordReset', { body: { email } })
const choose = async (token: string, password = 'new lantern', as = stage.server.client()) =>
  await as.call('resetPassword', { body: { token, password } })

/** The token of the newest link for a new password. */
async function askedToken(): Promise<string> {
  expect((await ask()).status).toBe(200)
  const mails = await stage.post()
  return tokenIn(mails.at(-1)!)
}

/** The token of a link that makes an intruder's mailbox the contact address. */
async function contactLink(): Promise<string> {
  const body = { contactEmail: 'intruder@example.com', password: stage.olivia.password }
  await stage.phone.ok('setProfile', { body })
  return tokenIn((await stage.post()).find(({ to }) => to[0] === 'intruder@example.com')!)
}

beforeEach(async () => {
  await stage.post()
})

describe('a forgotten password', () => {
  it('is replaced by the link in the mail alone, which ends every session with its alerts', async () => {
    const { client: tablet } = await stage.signIn()
    await tablet.call('subscribePush', { body: { ...pushService.subscribe(), expirationTime: null } })
    await ask(' OLIVIA@example.com')
    const mails = await stage.post()
    expect(mails.map(({ to }) => to)).toEqual([[oliviaEmail]])
    expect(mails[0]!.subject).toBe('Choose a new password')
    const token = tokenIn(mails[0]!)
    expect((await stage.server.call('readAccountLink', { body: { token } })).body).toEqual({
      purpose: 'reset',
      email: oliviaEmail,
    })
    for (const table of ['jobs', 'mails', 'account_links', 'audit_log', 'sync_log'] as const)
      expect(JSON.stringify(await stage.db(table)), table).not.toContain(token)

    const changed = await choose(token)
    expect([changed.status, changed.body]).toEqual([200, { email: oliviaEmail }])
    expect([await stage.phone.whoAmI(), await tablet.whoAmI()]).toEqual(['session_revoked', 'session_revoked'])
    expect(await stage.db('push_subscriptions')).toEqual([])
    expect((await stage.signIn('lantern')).status).toBe(401)
    expect((await stage.signIn('new lantern')).status).toBe(200)
    expect(stage.server.log.join('\n')).not.toContain(token)
  })

  it('leaves signed in the session of the owner who replaces it, or that of another person', async () => {
    const { client: tablet } = await stage.signIn()
    const isConfirmed = async () => (await stage.phone.ok('getUser')).emailVerified
    expect(await isConfirmed()).toBe(false)
    expect((await choose(await askedToken(), 'new lantern', stage.phone)).status).toBe(200)
    expect([await isConfirmed(), await tablet.whoAmI()]).toEqual([true, 'session_revoked'])
    const otto = await stage.server.addMember('Otto')
    await choose(await askedToken(), 'new lantern', otto)
    expect([await otto.whoAmI(), await stage.phone.whoAmI()]).toEqual([200, 'session_revoked'])
  })

  it('calls off the link to another contact address when it is replaced', async () => {
    const link = await contactLink()
    expect((await choose(await askedToken())).status).toBe(200)
    expect((await stage.server.call('confirmEmail', { body: { token: link } })).status).toBe(410)
  })

  it('lets in who waits after too many wrong ones', async () => {
    const visitor = stage.server.client()
    const login = async (password: string) =>
      (await visitor.call('login', { body: { email: oliviaEmail, password } })).status
    for (let tries = 0; tries < 6; tries += 1) await login('wrong password')
    expect(await login('lantern')).toBe(429)
    await choose(await askedToken())
    expect(await login('new lantern')).toBe(200)
  })
})

it('neither the answer, its work nor a wait tells whether there is an account', async () => {
  const known = await countedAsk(oliviaEmail)
  const unknown = await countedAsk('nobody@example.com')
  expect(unknown).toEqual(known)
  expect((await stage.post()).map(({ to }) => to)).toEqual([[oliviaEmail]])
  expect(JSON.stringify(await stage.db('jobs'))).not.toMatch(/nobody|olivia/i)
  for (const email of [oliviaEmail, 'nobody@example.com'])
    expect(await statusesOf(5, () => ask(email))).toEqual([200, 200, 200, 200, 429])
})

async function countedAsk(email: string) {
  const statements: string[] = []
  const note = ({ sql }: { sql: string }) => void statements.push(sql)
  stage.db.on('query', note)
  const { status, text } = await ask(email)
  stage.db.removeListener('query', note)
  return { status, text, statements }
}

describe('the link', () => {
  const refused = async (token: string) => {
    const looked = await stage.server.call('readAccountLink', { body: { token } })
    const answer = await choose(token, 'another password')
    expect([looked.status, looked.body.message]).toEqual([answer.status, answer.body.message])
    return [answer.status, answer.body.message]
  }

  it('works once: of fifty that try it together it lets one through, and none later', async () => {
    const token = await askedToken()
    const answers = await Promise.all(
      Array.from({ length: 50 }, async (_, index) => ({ index, ...(await choose(token, `lantern ${index}`)) })),
    )
    const [winner, ...others] = answers.filter(({ status }) => status === 200)
    expect(others).toEqual([])
    // More than can be hashed at once are asked to come back.
    expect(answers.filter(({ status }) => ![200, 410, 503].includes(status))).toEqual([])
    expect(await refused(token)).toEqual([410, 'This link has already been used.'])
    expect((await stage.signIn(`lantern ${winner!.index}`)).status).toBe(200)
  })

  it('works for an hour', async () => {
    const token = await askedToken()
    stage.wait(HOUR_MS - 60_000)
    expect((await stage.server.call('readAccountLink', { body: { token } })).status).toBe(200)
    stage.wait(61_000)
    expect(await refused(token)).toEqual([410, 'This link has expired.'])
    expect((await stage.signIn()).status).toBe(200)
  })

  it('is not mailed any more once it would not work', async () => {
    await ask()
    for (const job of await stage.db('jobs').where({ kind: 'password-reset' }))
      await createAccountTasks({ db: stage.db, now: stage.now })['password-reset'](job)
    stage.wait(2 * HOUR_MS)
    expect(await stage.post()).toEqual([])
    expect((await stage.db('mails').where({ kind: 'password-reset' })).map(({ state }) => state)).toEqual(['cancelled'])
  })

  it('works only while it is the newest', async () => {
    const [older, newer] = [await askedToken(), await askedToken()]
    expect((await refused(older))[0]).toBe(410)
    expect((await choose(newer)).status).toBe(200)
  })

  it('is made once when the worker does its job twice', async () => {
    await ask()
    const [job] = await stage.db('jobs').where({ kind: 'password-reset' })
    const task = createAccountTasks({ db: stage.db, now: stage.now })['password-reset']
    await Promise.all([task(job!), task(job!)])
    const mails = await stage.post()
    expect(mails).toHaveLength(1)
    expect((await choose(tokenIn(mails[0]!))).status).toBe(200)
  })

  it('of another kind, of nobody or cut short opens nothing', async () => {
    await stage.phone.call('resendVerification')
    const verifying = tokenIn((await stage.post())[0]!)
    expect((await choose(verifying)).status).toBe(404)
    const unknown = [404, 'We do not know this link. Please open it in the email once more.']
    expect(await refused('a'.repeat(43))).toEqual(unknown)
    const short = await choose(verifying.slice(1))
    expect([short.status, short.body.fields.token]).toEqual([
      400,
      'This link is not complete. Please open it in the email once more, or ask for a new one.',
    ])
  })
})

it('a password that is easy to guess is not taken for the forgotten one either', async () => {
  expect((await choose(await askedToken(), 'olivia2026!')).body.fields).toEqual({
    password: 'This password is too easy to guess.',
  })
})

it('a sign-in with the old password that is still being checked comes too late', async () => {
  let letGo = () => {}
  const held = new Promise<void>((resolve) => (letGo = resolve))
  let begun = false
  const passwords = createPasswords()
  const slow = {
    ...passwords,
    verify: async (hash: string | undefined, password: string, address: string) => {
      const matches = await passwords.verify(hash, password, address)
      begun = true
      await held
      return matches
    },
  }
  const other = await startTestServer({ db: stage.db, handlers: accountHandlers(slow) })
  try {
    const signingIn = other.client().call('login', { body: { email: oliviaEmail, password: 'lantern' } })
    await expect.poll(() => begun).toBe(true)
    expect((await choose(await askedToken())).status).toBe(200)
    letGo()
    expect((await signingIn).status).toBe(401)
  } finally {
    letGo()
    await other.close()
  }
})

it('where no mail can leave, nobody is told to wait for one', async () => {
  const mute = await startTestServer({ db: stage.db, config: { demoMode: false } })
  const answer = await mute.call('requestPasswordReset', { body: { email: oliviaEmail } })
  expect([answer.status, answer.body.message]).toEqual([503, 'This server sends no email. Please ask its operator.'])
  await mute.close()
})

it('links are forgotten a month after they stopped working', async () => {
  await askedToken()
  expect((await purgeExpired(stage.db, new Date(stage.now().getTime() + 30 * DAY_MS))).links).toBe(0)
  // The one to confirm the address lives for a week.
  expect((await purgeExpired(stage.db, new Date(stage.now().getTime() + 31 * DAY_MS))).links).toBe(1)
  expect((await purgeExpired(stage.db, new Date(stage.now().getTime() + 38 * DAY_MS))).links).toBe(1)
})

describe('a change of password', () => {
  const change = async (currentPassword: string, password = 'new lantern') =>
    await stage.phone.call('changePassword', { body: { currentPassword, password } })

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
  })

  it('calls off the link to another contact address', async () => {
    const link = await contactLink()
    expect((await change('lantern')).status).toBe(204)
    expect((await stage.server.call('confirmEmail', { body: { token: link } })).status).toBe(410)
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
