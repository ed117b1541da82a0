import { expect, it } from 'vitest'
import { createTestDatabase } from '../testing/test-database.ts'
import { setTestServer, startTestServer, statusesOf } from '../testing/test-server.ts'
import { accountHandlers } from './account-handlers.ts'
import { createPasswords } from './passwords.ts'

const server = await setTestServer()

const olivia = { username: 'Olivia', email: 'olivia@example.com', password: 'lantern' }

it('a page that asks who is signed in is told, also that it is nobody', async () => {
  const phone = server.client()
  const known = async () => (await phone.ok('findSession')).user
  expect(await known()).toBeNull()
  const registered = await phone.ok('register', { body: olivia })
  expect(await known()).toEqual(registered)
  await phone.ok('logout')
  expect(await known()).toBeNull()
})

it('the sixth wrong password in a row has to wait, and its owner does not once they are in', async () => {
  const visitor = server.client()
  const login = async (password: string) =>
    await visitor.call('login', { body: { email: 'olivia@example.com', password } })
  for (let tries = 0; tries < 4; tries += 1) expect((await login('wrong password')).status).toBe(401)
  expect((await login(olivia.password)).status).toBe(200)
  expect(await statusesOf(6, () => login('wrong password'))).toEqual([401, 401, 401, 401, 401, 429])
})

it('a password that is being checked keeps no connection from anybody', async () => {
  const database = await createTestDatabase({ poolSize: 1 })
  let letGo = () => {}
  const held = new Promise<void>((resolve) => (letGo = resolve))
  let begun = 0
  const passwords = createPasswords()
  const slow = {
    ...passwords,
    verify: async () => (begun++, await held, false),
    hash: async (text: string, address: string) => (begun++, await held, await passwords.hash(text, address)),
  }
  const busy = await startTestServer({ db: database.db, handlers: accountHandlers(slow) })
  try {
    const visitor = busy.client()
    const signingIn = visitor.call('login', { body: { email: olivia.email, password: olivia.password } })
    const signingUp = visitor.call('register', { body: olivia })
    await expect.poll(() => begun).toBe(2)
    expect((await visitor.call('listPlans')).status).toBe(200)
    letGo()
    expect([(await signingIn).status, (await signingUp).status]).toEqual([401, 201])
  } finally {
    letGo()
    await busy.close()
    await database.drop()
  }
})
