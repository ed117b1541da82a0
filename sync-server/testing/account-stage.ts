import { pino } from 'pino'
import { afterAll, beforeEach, expect } from 'vitest'
import { createAccountTasks } from '../accounts/account-mails.ts'
import { startWorker } from '../jobs/worker.ts'
import { openMailPost, type ArrivedMail } from './mail/mail-post.ts'
import { setTestDatabase } from './test-database.ts'
import { setTestServer, type TestClient, type TestServerOptions } from './test-server.ts'

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS
export const oliviaEmail = 'olivia@example.com'

/**
 * A server with a mail server behind it for the tests of the calling file. Olivia signs up anew for each test; the mail about
 * that has arrived by then.
 */
export async function setAccountStage(options: TestServerOptions = {}) {
  const { db } = await setTestDatabase()
  const mailPost = await openMailPost(db)
  afterAll(() => mailPost.close())
  let aheadMs = 0
  /** What the server takes for the present. */
  const now = () => new Date(Date.now() + aheadMs)
  const smtpUrl = mailPost.service.url
  const server = await setTestServer({ ...options, db, now, config: { smtpUrl, ...options.config } })
  const password = 'lantern'
  /** The device Olivia signed up on. */
  const phone = {} as TestClient
  const olivia = { id: 0, email: oliviaEmail, password }

  beforeEach(async () => {
    aheadMs = 0
    for (const table of ['users', 'rate_limits', 'jobs', 'mails'] as const) await db(table).del()
    Object.assign(phone, server.client({ name: 'Phone' }))
    olivia.id = (await phone.ok('register', { body: { username: 'Olivia', email: oliviaEmail, password } })).id
  })

  return {
    server,
    db,
    phone,
    olivia,
    now,
    wait: (ms: number) => {
      aheadMs += ms
    },
    /** Does what is queued and answers the mails that arrived by that. */
    post: async () => {
      const worker = startWorker(db, createAccountTasks({ db, now }), pino({ level: 'silent' }))
      const undone = () => db('jobs').where({ kind: 'password-reset' }).whereIn('state', ['waiting', 'running'])
      while ((await undone()).length > 0) await new Promise((resolve) => setTimeout(resolve, 5))
      await worker.stop()
      return await mailPost.deliver(now())
    },
    /** Signs Olivia in on another device. */
    signIn: async (tried = password) => {
      const client = server.client({ name: 'Tablet' })
      const { status } = await client.call('login', { body: { email: oliviaEmail, password: tried } })
      return { client, status }
    },
  }
}

/** The token in a mail's link, found in its text and in its HTML alike. */
export function tokenIn({ text, html }: ArrivedMail): string {
  const links = [text, html].map((part) => /\/auth#(?:reset|verify)=([\w-]{43})/.exec(part)?.[1])
  expect(links[0]).toBeDefined()
  expect(links[1]).toBe(links[0])
  return links[0] ?? ''
}
