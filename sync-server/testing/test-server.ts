import { randomUUID } from 'node:crypto'
import { headers as wire, requestFor, type Values } from '#shared/contract/request.ts'
import type { RouteSpec } from '#shared/contract/route.ts'
import { routes, type RouteName } from '#shared/api/routes.ts'
import type { Knex } from 'knex'
import { afterAll, expect } from 'vitest'
import { createPasswords } from '../accounts/passwords.ts'
import { createApp, listen } from '../app/app.ts'
import { createPaymentService } from '../billing/payment-service.ts'
import { loadConfig, type Config } from '../config.ts'
import { createHandlers, presentTouched } from '../app/nouns.ts'
import type { Handlers } from '../calls/handler.ts'
import { createLogger } from '../http/log.ts'
import { createMailTransport } from '../mail/create-mail-transport.ts'
import type { PresentTouched } from '../calls/touched.ts'
import { addSession, addUser } from './account-rows.ts'
import { addSubscription, UNLIMITED } from './billing-rows.ts'
import { createTestDatabase } from './test-database.ts'

export interface TestServerOptions {
  /** In place of the real ones, name by name. */
  readonly handlers?: Partial<Handlers>
  readonly config?: Partial<Config>
  readonly now?: () => Date
  /** A second server on the database of the first. */
  readonly db?: Knex
  readonly staticFolder?: string
  readonly oldestWireVersion?: number
  /** Where handlers are not the real ones, and touch what is in no table. */
  readonly present?: PresentTouched
}

export interface CallOptions {
  readonly params?: Values
  readonly query?: Values
  readonly body?: unknown
  /** Default: a fresh uuid on keyed routes; null sends none. */
  readonly key?: string | null
  readonly headers?: Record<string, string>
}

export interface TestAnswer {
  readonly status: number
  readonly text: string
  /** Parsed JSON, of a batch the list of its lines; undefined when there is none. */
  readonly body: any
  readonly headers: Headers
}

export interface ClientDevice {
  readonly id?: string
  readonly name?: string
  /** A script or an integration: JSON and the session's cookie, and none of the headers that our own app sends. */
  readonly isPlain?: boolean
}

/** A user with a browser in which they are signed in. */
export interface Member extends TestClient {
  readonly userId: number
}

export type TestClient = ReturnType<typeof createClient>
export type TestServer = Awaited<ReturnType<typeof startTestServer>>

/** As the server itself, but that an event which was touched is there for its organizer, for handlers of a test write none. */
export const presentAnyEvent: PresentTouched = async (trx, touched, now) => {
  const presented = await presentTouched(trx, touched, now)
  return touched.map((one, index) =>
    one.what === 'event'
      ? [{ scope: `org:${one.organizerId}`, collection: 'events', docId: String(one.id), document: { id: one.id } }]
      : (presented[index] ?? []),
  )
}

/** The whole server on a free port, on a database of its own. Its passwords are cheap to check. */
export async function startTestServer(options: TestServerOptions = {}) {
  const database = options.db ? undefined : await createTestDatabase()
  const db = options.db ?? database!.db
  const loaded = loadConfig({ PORT: '0' })
  if (!loaded.ok) throw new Error(loaded.errors.join('\n'))
  const config: Config = { ...loaded.config, ...options.config }
  const log: string[] = []
  const mail = createMailTransport(db, config)
  const payments = await createPaymentService(config)
  const app = await createApp({
    db,
    config,
    log: createLogger('debug', { write: (line) => void log.push(line) }),
    handlers: {
      ...createHandlers({
        passwords: createPasswords({ memoryCost: 1024 }),
        mail,
        payments,
      }),
      ...options.handlers,
    },
    payments,
    ...(options.now ? { now: options.now } : {}),
    ...(options.staticFolder === undefined ? {} : { staticFolder: options.staticFolder }),
    ...(options.present ? { present: options.present } : {}),
    ...(options.oldestWireVersion === undefined ? {} : { oldestWireVersion: options.oldestWireVersion }),
  })
  const { server, origin } = await listen(app, config)

  const client = (device: ClientDevice = {}) => createClient(origin, config, db, device)
  const addMember = async (
    name: string,
    { deviceName, ...more }: { isAdmin?: boolean; deviceName?: string } = {},
  ): Promise<Member> => {
    const userId = await addUser(db, name, more)
    const browser = client(deviceName === undefined ? {} : { name: deviceName })
    await browser.signInAs(userId)
    return { ...browser, userId }
  }
  return {
    origin,
    db,
    app,
    config,
    /** What the server wrote to its log. */
    log: log as readonly string[],
    client,
    /** A new visitor's call. */
    call: (name: RouteName, { as, ...call }: CallOptions & { as?: TestClient } = {}) =>
      (as ?? client()).call(name, call),
    /** A user without a password; answers the id. */
    createUser: (name: string, more?: { isAdmin?: boolean }) => addUser(db, name, more),
    /** A new user, signed in. */
    addMember,
    /** Adds a user who is signed in and has a plan without a limit. */
    addOrganizer: async (name: string, options?: Parameters<typeof addMember>[1]): Promise<Member> => {
      const member = await addMember(name, options)
      await addSubscription(db, member.userId, UNLIMITED)
      return member
    },
    close: async () => {
      app.drain()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await app.close()
      mail.close()
      await database?.drop()
    },
  }
}

/** One for the tests of the calling file, closed after them. */
export async function setTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const server = await startTestServer(options)
  afterAll(() => server.close())
  return server
}

/** A browser as far as the server can tell: keeps cookies, names its device, sends a key with every keyed change. */
export function createClient(
  origin: string,
  config: Pick<Config, 'publicOrigin'>,
  db: Knex,
  device: ClientDevice = {},
) {
  const cookies = new Map<string, string>()
  const deviceId = device.id ?? randomUUID()
  const ownHeaders = {
    'sec-fetch-site': 'same-origin',
    [wire.deviceId]: deviceId,
    [wire.deviceName]: encodeURIComponent(device.name ?? 'Test phone'),
  }

  /** Any request, with the client's cookies and headers unless overridden; `null` removes one. */
  async function request(
    method: string,
    url: string,
    { body: sent, headers = {} }: { body?: string; headers?: Record<string, string | null> } = {},
  ): Promise<TestAnswer> {
    const all: Record<string, string | null> = {
      ...(device.isPlain ? {} : ownHeaders),
      ...(cookies.size > 0 ? { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') } : {}),
      ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    }
    const given = Object.fromEntries(
      Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null),
    )
    const response = await fetch(new URL(url, origin), {
      method,
      headers: given,
      redirect: 'manual',
      ...(sent === undefined ? {} : { body: sent }),
    })
    for (const cookie of response.headers.getSetCookie()) keep(cookies, cookie)
    const type = response.headers.get('content-type') ?? ''
    // A stream that is open does not end: that it has begun is enough.
    const isStream = type.startsWith('text/event-stream')
    if (isStream) await response.body?.cancel()
    const text = isStream ? '' : await response.text()
    const body = /ndjson/.test(type) ? linesOf(text) : /json/.test(type) ? JSON.parse(text) : undefined
    return { status: response.status, text, body, headers: response.headers }
  }

  function call(name: RouteName, { params, query, body, key, headers = {} }: CallOptions = {}) {
    const { method, url } = requestFor(name, params, query)
    const keyed = !device.isPlain && (routes[name] as RouteSpec).repeatable === 'key'
    const sentKey = key === undefined && keyed ? randomUUID() : key
    return request(method, url, {
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      headers: { ...(sentKey == null ? {} : { [wire.idempotencyKey]: sentKey }), ...headers },
    })
  }

  return {
    deviceId,
    cookies,
    request,
    call,
    /** A call that has to succeed; answers its body. */
    ok: async (name: RouteName, options?: CallOptions): Promise<any> => {
      const { status, text, body } = await call(name, options)
      expect(status, `${name}: ${text}`).toBeLessThan(300)
      return body
    },
    /** 200 for who is signed in; else the code of the refusal. */
    whoAmI: async (): Promise<200 | string> => {
      const { status, body } = await call('getUser')
      return status === 200 ? status : body.code
    },
    /** Signs in without a password, by a session row. */
    signInAs: async (userId: number) => {
      const cookie = await addSession(db, userId, { deviceId, deviceName: device.name ?? 'Test phone' })
      cookies.set(config.publicOrigin.startsWith('https:') ? '__Host-sid' : 'sid', cookie)
    },
  }
}

/** Does it so many times, one after the other; answers the status of each. */
export async function statusesOf(times: number, act: (n: number) => Promise<{ status: number }>): Promise<number[]> {
  const statuses: number[] = []
  for (let n = 0; n < times; n += 1) statuses.push((await act(n)).status)
  return statuses
}

/** The answer to a batch, line by line. */
const linesOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

function keep(cookies: Map<string, string>, header: string): void {
  const [pair = '', ...attributes] = header.split(';')
  const [name = '', value = ''] = pair.split('=')
  const gone = attributes.some((attribute) => /expires=thu, 01 jan 1970/i.test(attribute))
  if (gone || value === '') cookies.delete(name)
  else cookies.set(name, value)
}
