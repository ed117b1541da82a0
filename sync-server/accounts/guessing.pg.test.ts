import type { Handler } from '../calls/handler.ts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { oliviaEmail, setAccountStage, tokenIn } from '../testing/account-stage.ts'
import { startTestServer, statusesOf, type TestAnswer, type TestClient } from '../testing/test-server.ts'
import { ProblemError } from '../calls/problems.ts'
import { accountHandlers } from './account-handlers.ts'
import { createPasswords } from './passwords.ts'

const olivia = { username: 'Olivia', email: oliviaEmail, password: 'lantern' }
const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })

// Behind a proxy that names the caller's address, so that one test can call from many.
const { server, phone, post } = await setAccountStage({ config: { proxies: 1 } })
beforeEach(async () => {
  await phone.call('logout')
  await server.db('rate_limits').del()
})
afterEach(() => void vi.useRealTimers())

const signIn = (address: string, password = olivia.password, email = olivia.email, client = server.client()) =>
  client.call('login', { body: { email, password }, ...from(address) })

/** Guesses one after another; answers how many were looked at, right or wrong, and the last answer. */
async function guess(addresses: readonly string[], email: (n: number) => string = () => olivia.email) {
  let looked = 0
  let last: TestAnswer | undefined
  for (const [n, address] of addresses.entries()) {
    last = await signIn(address, `guess ${n}`, email(n))
    if (last.status !== 429) looked += 1
  }
  return { looked, last: last as TestAnswer }
}
const times = (count: number, address: (n: number) => string) => Array.from({ length: count }, (_, n) => address(n))

/** As if strangers everywhere had guessed at Olivia's password until none of them is listened to any more. */
async function hammer() {
  await guess(['198.51.100.1'])
  await server.db('rate_limits').where('key', 'like', 'login-account:%').update({ points: 25 })
  expect((await guess(['198.51.100.2'])).last.status).toBe(429)
}

/** Chooses a new password by the link in a mail, on this device. */
async function chooseNewPassword(client: TestClient, password: string, address: string) {
  await client.call('requestPasswordReset', { body: { email: olivia.email }, ...from(address) })
  const mail = (await post()).find(({ text }) => text.includes('#reset='))!
  const reset = await client.call('resetPassword', { body: { token: tokenIn(mail), password }, ...from(address) })
  expect(reset.status, reset.text).toBe(200)
}

describe('guessing', () => {
  it('from one IPv6 network is one guesser, however many addresses it uses', async () => {
    const { looked } = await guess(times(30, (n) => `2001:db8:7:9:${n.toString(16)}::${n + 1}`))
    expect(looked).toBe(5)
    expect((await signIn('2001:db8:7:a::1')).status).toBe(200)
  })

  it('at many accounts from one address ends after forty wrong passwords', async () => {
    const { looked, last } = await guess(
      times(60, () => '192.0.2.8'),
      (n) => `organizer-${n}@example.com`,
    )
    expect(looked).toBe(40)
    expect(last.body.message).toMatch(
      /^Too many failed sign-ins from this network. Please wait (\d+ seconds|\d+ minutes)/,
    )
    expect((await signIn('192.0.2.9')).status).toBe(200)
  })

  it('at one account from many addresses ends after 25 wrong passwords, existing or not', async () => {
    const addresses = times(40, (n) => `198.51.100.${n + 1}`)
    const known = await guess(addresses)
    expect([known.looked, known.last.status]).toEqual([25, 429])
    expect(Number(known.last.headers.get('retry-after'))).toBeLessThanOrEqual(15 * 60)
    const unknown = await guess(addresses, () => 'nobody@example.com')
    expect([unknown.looked, unknown.last.body.message]).toEqual([25, known.last.body.message])
  })
})

describe('while strangers guess at an account', () => {
  it('its owner signs in at once where they have signed in before, from whatever address', async () => {
    await hammer()
    expect((await signIn('198.51.100.1', olivia.password, olivia.email, phone)).status).toBe(200)
    expect((await phone.call('getUser', from('198.51.100.1'))).body.username).toBe('Olivia')
  })

  it('its owner signs in on a new device after a quarter of an hour, and is told so', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    await hammer()
    const tablet = server.client({ name: 'Tablet' })
    const refused = await signIn('203.0.113.9', olivia.password, olivia.email, tablet)
    expect(refused.status).toBe(429)
    expect(refused.body.message).toMatch(
      /^Someone is guessing at the password of this account. Please wait \d+ (minutes|seconds), sign in where you have signed in before, or choose “Forgot password\?”: a new password lets you in at once.$/,
    )
    vi.setSystemTime(Date.now() + (Number(refused.headers.get('retry-after')) + 1) * 1000)
    expect((await signIn('203.0.113.9', olivia.password, olivia.email, tablet)).status).toBe(200)
  })

  it('its owner signs in on a new device at once after choosing a new password there', async () => {
    await hammer()
    const tablet = server.client({ name: 'Tablet' })
    await chooseNewPassword(tablet, 'new lantern', '203.0.113.9')
    expect((await guess(['198.51.100.200'])).last.status).toBe(429)
    expect((await signIn('203.0.113.9', 'new lantern', olivia.email, tablet)).status).toBe(200)
  })
})

describe('a browser that has signed in before', () => {
  const knownCookie = (client: TestClient) => client.cookies.get('known')

  it('is known by a cookie that no script reads, and of which the database holds a hash', async () => {
    const tablet = server.client()
    const answer = await signIn('203.0.113.5', olivia.password, olivia.email, tablet)
    const header = answer.headers.getSetCookie().find((cookie) => cookie.startsWith('known='))
    expect(header).toMatch(/^known=[\w-]{43}; path=\/; expires=.+; samesite=strict; httponly$/i)
    expect(JSON.stringify(await server.db('known_browsers'))).not.toContain(knownCookie(tablet))
  })

  it('stays known after signing out, and only to the account that signed in there', async () => {
    expect(knownCookie(phone)).toBeDefined()
    const otto = { username: 'Otto', email: 'otto@example.com', password: 'harbor light' }
    await server.client().call('register', { body: otto, ...from('203.0.113.2') })
    await guess(
      times(40, (n) => `198.51.100.${n + 1}`),
      () => otto.email,
    )
    expect((await signIn('203.0.113.1', otto.password, otto.email, phone)).status).toBe(429)
    expect((await signIn('203.0.113.1', olivia.password, olivia.email, phone)).status).toBe(200)
  })

  it('guesses no more than any other', async () => {
    const guessed = (n: number) => signIn(`203.0.113.${n + 20}`, `guess ${n}`, olivia.email, phone)
    expect(await statusesOf(8, guessed)).toEqual([401, 401, 401, 401, 401, 429, 429, 429])
  })

  it('is forgotten by a new password, except where it was chosen', async () => {
    const tablet = server.client()
    await chooseNewPassword(tablet, 'new lantern', '203.0.113.5')
    expect(await server.db('known_browsers')).toHaveLength(1)
    await hammer()
    expect((await signIn('203.0.113.1', 'new lantern', olivia.email, phone)).status).toBe(429)
    expect((await signIn('203.0.113.5', 'new lantern', olivia.email, tablet)).status).toBe(200)
  })

  it('is one of fifty at most for an account', async () => {
    const user = await server.db('users').where({ email: olivia.email }).first()
    await server.db('known_browsers').insert(
      times(60, (n) => `browser-${n}`).map((idHash) => ({
        idHash,
        userId: user!.id,
        seenAt: new Date('2026-01-01'),
      })),
    )
    await signIn('203.0.113.5')
    expect(await server.db('known_browsers').where({ userId: user!.id })).toHaveLength(50)
  })

  it('is forgotten for one that signed in later, never for one that signed in long ago', async () => {
    await server.db('known_browsers').update({ seenAt: new Date('2026-02-01') })
    const { userId } = (await server.db('known_browsers').first('userId'))!
    const older = times(50, (n) => `browser-${n}`).map((idHash) => ({ idHash, userId, seenAt: new Date('2026-01-01') }))
    await server.db('known_browsers').insert(older)
    await signIn('203.0.113.5', olivia.password, olivia.email, server.client())
    await hammer()
    expect((await signIn('203.0.113.1', olivia.password, olivia.email, phone)).status).toBe(200)
  })
})

it('failed sign-ins are counted by account and hour, without a word about who they were', async () => {
  await server.db('failed_sign_ins').del()
  await guess(times(4, (n) => `198.51.100.${n + 1}`))
  await guess(
    times(3, (n) => `198.51.100.${n + 1}`),
    (n) => `nobody-${n}@example.com`,
  )
  const user = await server.db('users').where({ email: olivia.email }).first()
  const rows = await server.db('failed_sign_ins').orderBy('times')
  expect(rows.map(({ userId, times: count }) => [userId, count])).toEqual([
    [null, 3],
    [user!.id, 4],
  ])
  expect(JSON.stringify(rows)).not.toMatch(/nobody|olivia|198\.51/)
  const lines = server.log.filter((line) => line.includes('a sign-in failed'))
  expect(lines.filter((line) => line.includes(`"account":${user!.id}`))).toHaveLength(4)
  expect(lines.join('')).not.toMatch(/nobody|olivia|198\.51/)
})

it('a registration sent again says no more about a password than signing in does', async () => {
  const register = (n: number) =>
    server.call('register', { body: { ...olivia, password: `guess ${n}` }, ...from('198.51.100.1') })
  expect(await statusesOf(8, register)).toEqual([409, 409, 409, 409, 409, 429, 429, 429])
})

it('a password that could not be checked for lack of time was not tried', async () => {
  const busy = async () => {
    throw new ProblemError('unavailable', 'Many people are signing in right now.', { retryAfterSeconds: 2 })
  }
  const full = await startTestServer({
    db: server.db,
    config: { proxies: 1 },
    handlers: accountHandlers({ ...createPasswords(), verify: busy }),
  })
  try {
    const visitor = full.client()
    for (let n = 0; n < 8; n += 1)
      expect((await signIn('203.0.113.7', olivia.password, olivia.email, visitor)).status).toBe(503)
    const spent = await server.db('rate_limits').where('key', 'like', 'login%')
    expect(spent.filter(({ points }) => points > 0)).toEqual([])
    expect((await signIn('203.0.113.7')).status).toBe(200)
  } finally {
    await full.close()
  }
})

it('the same sign-in sent again while it is checked is checked once, and each is answered', async () => {
  const real = createPasswords({ memoryCost: 1024 })
  const checked: string[] = []
  let arrived = 0
  let letGo = () => undefined as void
  const allArrived = new Promise<void>((resolve) => (letGo = resolve))
  const handlers = accountHandlers({
    ...real,
    verify: async (hash, password, address) => {
      checked.push(`${password} from ${address}`)
      await allArrived
      return await real.verify(hash, password, address)
    },
  })
  const login: Handler<'login'> = {
    before: async (call) => {
      arrived += 1
      if (arrived === 10) letGo()
      return await handlers.login.before(call)
    },
  }
  const loaded = await startTestServer({ db: server.db, config: { proxies: 1 }, handlers: { login } })
  const press = (password: string) => signIn('203.0.113.8', password, olivia.email, loaded.client())
  const answers = await Promise.all([
    ...Array.from({ length: 8 }, () => press(olivia.password)),
    press('guessed'),
    press('guessed'),
  ])
  await loaded.close()
  expect(answers.map(({ status }) => status)).toEqual([...Array<number>(8).fill(200), 401, 401])
  // Who keeps the checks busy is known by their address.
  expect(checked.sort()).toEqual(['guessed', olivia.password].map((one) => `${one} from 203.0.113.8`))
})
