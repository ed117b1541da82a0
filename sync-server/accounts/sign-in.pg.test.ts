import { expect, it } from 'vitest'
import { headers as wire } from '#shared/contract/request.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { setTestServer, startTestServer, statusesOf } from '../testing/test-server.ts'
import { accountHandlers } from './account-handlers.ts'
import { createPasswords } from './passwords.ts'

const server = await setTestServer()

const olivia = { username: 'Olivia', email: 'olivia@example.com', password: 'lantern' }

it('a person signs up, is known, signs out, is unknown, and signs in again', async () => {
  const phone = server.client({ name: 'Phone' })
  const isKnown = async () => (await phone.call('findSession')).body
  expect((await phone.call('getUser')).status).toBe(401)
  expect(await isKnown()).toEqual({ signedIn: false })
  const registered = await phone.call('register', { body: olivia })
  expect(registered.status).toBe(201)
  expect((await phone.call('getUser')).body).toEqual(registered.body)
  expect(await isKnown()).toEqual({ signedIn: true })
  expect((await phone.call('logout')).status).toBe(204)
  expect(await isKnown()).toEqual({ signedIn: false })
  expect((await phone.call('getUser')).status).toBe(401)
  const tablet = server.client({ name: 'Tablet' })
  expect((await tablet.call('login', { body: { email: olivia.email, password: olivia.password } })).status).toBe(200)
  expect((await tablet.call('getUser')).body.username).toBe('Olivia')
})

it('only a sign-out that asks for it has the browser empty its storage, whoever is signed in', async () => {
  const asks = { headers: { [wire.clearStorage]: '1' } }
  const phone = server.client({ name: 'Phone' })
  const emptied = async (...call: Parameters<typeof phone.call>) =>
    (await phone.call(...call)).headers.get('Clear-Site-Data')
  expect(await emptied('findSession', asks)).toBeNull()
  expect(await emptied('logout')).toBeNull()
  expect(await emptied('logout', asks)).toBe('"storage"')
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
