import { afterEach, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../../testing/test-server.ts'

let server: TestServer | undefined
afterEach(() => server?.close())

it.each([['help@harbor.example'], [null]])('tells the contact page whom to write to: %s', async (contactEmail) => {
  server = await startTestServer({ config: { contactEmail } })
  const { status, text } = await server.client().request('GET', '/contact.json')
  expect([status, text]).toEqual([200, JSON.stringify({ email: contactEmail })])
})
