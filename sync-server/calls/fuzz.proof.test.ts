import * as fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import { routes, type RouteName } from '#shared/api/routes.ts'
import { headers as wire } from '#shared/contract/request.ts'
import { createPasswords } from '../accounts/passwords.ts'
import { addSession, addUser } from '../testing/account-rows.ts'
import { addPromoCode, addSubscription } from '../testing/billing-rows.ts'
import { callers, complaint, parsed, type Caller } from '../testing/fuzz/judge.ts'
import { hostileRequests, type FuzzRequest } from '../testing/fuzz/requests.ts'
import { fuzzPassword, type Known } from '../testing/fuzz/samples.ts'
import { createSender, shown, sizeOf, type FuzzAnswer } from '../testing/fuzz/sender.ts'
import { applicationBody, createRouteRig, eventBody } from '../testing/route-rig.ts'
import { fullSize, sized } from '../testing/proof-size.ts'
import { freePort, prepareServerProcess } from '../testing/server-process.ts'
import { setTestDatabase } from '../testing/test-database.ts'

const count = Number(process.env['FUZZ_REQUESTS'] ?? sized(40_000, 500))
const seed = Number(process.env['FUZZ_SEED'] ?? 20_261_122)
const chunk = sized(250, 100)
const connections = 16
/** Four passwords being hashed take 190 MB; the program itself about as much. */
const maxMemoryMB = 700

const accounts = { organizer: 'olivia', 'other organizer': 'otto', admin: 'ada' } as const
type Account = keyof typeof accounts

const { db, connectionString } = await setTestDatabase()
const metricsPort = await freePort()
const ids = await addAccounts()
const rig = createRouteRig(db)
const server = await prepareServerProcess({
  DATABASE_URL: connectionString,
  TRUST_PROXY: '1',
  PUSH_HOSTS: 'push.test',
  METRICS_PORT: String(metricsPort),
  LOG_LEVEL: 'error',
})
afterAll(() => server.stop())
await server.start()

async function addAccounts(): Promise<Record<Account, number>> {
  const passwordHash = await createPasswords().hash(fuzzPassword, 'the fuzzer')
  const ids = { organizer: 0, 'other organizer': 0, admin: 0 }
  for (const account of Object.keys(accounts) as Account[]) {
    ids[account] = await addUser(db, accounts[account], { passwordHash, isAdmin: account === 'admin' })
    await addSubscription(db, ids[account], 3, { endDate: null })
  }
  await addPromoCode(db, 'FRIENDS')
  return ids
}

/** A session that is not there yet for each caller: earlier ones, or the account, may have been ended by what was sent. */
async function signIn(): Promise<Record<Caller, string | null>> {
  await db('users').whereIn('id', Object.values(ids)).update({ closedAt: null })
  return {
    anonymous: null,
    organizer: await addSession(db, ids.organizer),
    'other organizer': await addSession(db, ids['other organizer']),
    admin: await addSession(db, ids.admin),
    expired: await addSession(db, ids.organizer, { endsAt: new Date(0) }),
    garbage: 'a'.repeat(43),
  }
}

async function memoryMB(): Promise<number> {
  const figures = await (await fetch(`http://127.0.0.1:${metricsPort}`)).text()
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(figures)?.[1] ?? NaN) / 1_048_576
}

/** What people wrote, as it is answered: without what no database holds, and trimmed. */
const asKept = (text: string) =>
  text
    .replaceAll('\u0000', '')
    .replace(/\p{Surrogate}/gu, '')
    .trim()

/** What the rest of a run lives on. */
const mustSucceed: ReadonlySet<string> = new Set<RouteName>([
  'createEvent',
  'updateEvent',
  'deleteEvent',
  'applyAsBeacon',
  'decideApplication',
  'correctApplication',
  'replayMutations',
  'pull',
  'login',
  'register',
])

/** Routes whose answers name what other calls need by its number. */
const ofIds: ReadonlySet<string> = new Set(['listSessions', 'listAlertedDevices'])
const textsKept = ['description', 'firstName', 'lastName', 'bio'] as const

/** Notes what an answer names, for later calls; answers what it says otherwise than it was sent. */
function learn({ route, method, body }: FuzzRequest, { text }: FuzzAnswer, known: Known): string | undefined {
  const told = parsed(text) as any
  if (ofIds.has(route) && Array.isArray(told)) known.otherIds.push(...told.map(({ id }) => id))
  if (route === 'createEvent' && told?.id) known.eventIds.push(told.id)
  if (route === 'applyAsBeacon' && told?.token) {
    known.applicationIds.push(told.id)
    known.tokens.push(told.token)
  }
  if (method === 'GET') return undefined
  // A byte order mark in front of it is nothing.
  const sent = parsed(new TextDecoder().decode(body ?? Buffer.alloc(0))) as Record<string, unknown> | undefined
  const other = textsKept.find((name) => {
    const [one, kept] = [sent?.[name], told?.[name]]
    return typeof one === 'string' && typeof kept === 'string' && kept !== asKept(one)
  })
  return other && `answered another ${other} than was sent`
}

it(
  `${count.toLocaleString('en')} hostile requests over every route fail nowhere and answer only what they may`,
  { timeout: 600_000 },
  async () => {
    const sender = createSender(server.origin, connections)
    const known: Known = {
      eventIds: [1],
      applicationIds: [1],
      otherIds: [1, 2],
      tokens: [],
      keys: [],
      emails: Object.values(accounts).map((name) => `${name}@example.com`),
      accounts: Object.values(ids),
    }
    const requests = fc.tuple(hostileRequests(known), fc.constantFrom(...callers))
    /** With each of them, sent once more, the first change is answered, whatever the body says. */
    const keys = new Set<string>()
    const complaints: string[] = []
    const byStatus = new Map<number, number>()
    const succeeded = new Set<string>()
    let acceptedBytes = 0
    let peakMB = 0
    let sentCount = 0
    const startedAt = performance.now()

    async function furnish() {
      for (const account of ['organizer', 'other organizer'] as const) {
        const as = { userId: ids[account], username: accounts[account], isAdmin: false }
        const event = (await rig.run('createEvent', { as, body: eventBody() })).body
        const params = { eventId: event.id }
        const body = applicationBody({ email: `b${event.id}@example.com` })
        const application = (await rig.run('applyAsBeacon', { params, body })).body
        known.eventIds.push(event.id)
        known.applicationIds.push(application.id)
        known.tokens.push(application.token)
      }
    }

    while (sentCount < count && complaints.length < 50) {
      const cookies = await signIn()
      await furnish()
      const some = fc.sample(requests, { seed: seed + sentCount, numRuns: Math.min(chunk, count - sentCount) })
      sentCount += some.length
      const waiting = some.values()
      const work = async () => {
        for (const [made, caller] of waiting) {
          const cookie = cookies[caller]
          const signedIn: Record<string, string> = cookie === null ? {} : { cookie: `sid=${cookie}` }
          const request = { ...made, headers: { ...signedIn, ...made.headers } }
          const answer = await sender.send(request)
          byStatus.set(answer.status, (byStatus.get(answer.status) ?? 0) + 1)
          let wrong = complaint(request, caller, answer, acceptedBytes)
          if (answer.status < 300) {
            succeeded.add(request.route)
            if (request.method !== 'GET') acceptedBytes += sizeOf(request)
            const key = request.headers[wire.idempotencyKey]
            const told = learn(request, answer, known)
            if (key === undefined || !keys.has(key)) wrong ??= told
            if (key !== undefined) keys.add(key)
          }
          if (wrong !== undefined) complaints.push(`${wrong}\n    ${caller}, ${shown(request)}`)
        }
      }
      await Promise.all(Array.from({ length: connections }, work))
      known.keys.push(...keys)
      peakMB = Math.max(peakMB, await memoryMB())
    }

    // Nothing that was accepted keeps its organizer from reading all there is.
    const cookies = await signIn()
    let readBack = 0
    for (const account of ['organizer', 'other organizer'] as const) {
      const read = async (path: string) => {
        const answer = await fetch(server.origin + path, { headers: { cookie: `sid=${cookies[account]}` } })
        expect([path, answer.status]).toEqual([path, 200])
        return (await answer.json()) as { id: number }[]
      }
      for (const { id } of await read('/api/organizer/events'))
        readBack += (await read(`/api/organizer/events/${id}/beacons`)).length
    }
    sender.close()

    const seconds = (performance.now() - startedAt) / 1000
    const statuses = [...byStatus].toSorted(([one], [other]) => one - other).map((pair) => pair.join(': '))
    const missing = Object.keys(routes).filter((name) => !succeeded.has(name))
    process.stdout.write(
      `fuzz: ${sentCount} requests in ${seconds.toFixed(0)} s, seed ${seed}; ${statuses.join(', ')}; read back ${readBack}; ` +
        `peak memory ${peakMB.toFixed(0)} MB; ${succeeded.size} routes succeeded, not ${missing.join(', ')}\n`,
    )
    expect(complaints, `FUZZ_SEED=${seed}\n${complaints.join('\n')}\n${server.output().slice(-3000)}`).toEqual([])
    expect(server.isRunning()).toBe(true)
    expect(peakMB).toBeLessThan(maxMemoryMB)
    // A run in which hardly anything is possible would find nothing.
    expect(succeeded.size).toBeGreaterThan(12)
    if (!fullSize) return
    expect(missing.filter((name) => mustSucceed.has(name))).toEqual([])
    expect(missing.length).toBeLessThan(16)
  },
)
