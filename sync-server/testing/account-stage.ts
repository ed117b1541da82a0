import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { createAccountTasks } from '../accounts/account-mails.ts'
import { startWorker } from '../jobs/worker.ts'
import { openMailPost, type ArrivedMail, type MailPost } from './mail/mail-post.ts'
import { startTestServer, type TestClient, type TestServer } from './test-server.ts'

/** A server with a mail server behind it, on which Olivia signs up anew for each test. */
export interface AccountStage {
  readonly server: TestServer
  /** The device Olivia signed up on. */
  readonly phone: TestClient
  readonly olivia: { readonly id: number; readonly email: string; readonly password: string }
  /** What the server takes for the present. */
  now(): Date
  wait(ms: number): void
  /** Does what is queued and answers the mails that arrived by that. */
  post(): Promise<ArrivedMail[]>
  /** Signs Olivia in on another device. */
  signIn(password?: string): Promise<{ client: TestClient; status: number }>
}

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS
export const oliviaEmail = 'olivia@example.com'

/** Sets the stage for the tests of the calling file; the mail about the sign-up has arrived by then. */
export function setAccountStage(config: Parameters<typeof startTestServer>[0] = {}): AccountStage {
  let server: TestServer
  let mailPost: MailPost
  let phone: TestClient
  let oliviaId = 0
  let aheadMs = 0
  const now = () => new Date(Date.now() + aheadMs)
  const password = 'lantern'

  beforeAll(async () => {
    mailPost = await openMailPost(() => server.db)
    server = await startTestServer({
      ...config,
      now,
      config: { smtpUrl: mailPost.service.url, ...config.config },
    })
  })
  afterAll(async () => {
    await server.close()
    await mailPost.close()
  })
  beforeEach(async () => {
    aheadMs = 0
    await server.db('users').del()
    await server.db('rate_limits').del()
    await server.db('jobs').del()
    await server.db('mails').del()
    phone = server.client({ name: 'Phone' })
    const body = { username: 'Olivia', email: oliviaEmail, password }
    const registered = await phone.call('register', { body })
    expect(registered.status, registered.text).toBe(201)
    oliviaId = registered.body.id
  })

  const post = async () => {
    const worker = startWorker(server.db, createAccountTasks({ db: server.db, now }), pino({ level: 'silent' }))
    const undone = () => server.db('jobs').where({ kind: 'password-reset' }).whereIn('state', ['waiting', 'running'])
    while ((await undone()).length > 0) await new Promise((resolve) => setTimeout(resolve, 5))
    await worker.stop()
    return await mailPost.deliver(now())
  }
  return {
    get server() {
      return server
    },
    get phone() {
      return phone
    },
    get olivia() {
      return { id: oliviaId, email: oliviaEmail, password }
    },
    now,
    wait: (ms) => {
      aheadMs += ms
    },
    post,
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
