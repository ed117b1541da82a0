import { randomBytes, randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { maxPerHour } from '../calls/limits.ts'
import { sized } from '../testing/proof-size.ts'
import { applicationBody, correctedBody, eventBody } from '../testing/route-rig.ts'
import { setVisitedEvent } from '../testing/visited-event.ts'

const questions = Array.from({ length: 20 }, (_, n) => `Question ${n}`)
const stage = await setVisitedEvent({ customQuestions: questions })
const here = { 'x-forwarded-for': '198.51.100.1' }

/** Text that no database makes smaller. */
const noise = (length: number) => randomBytes(length).toString('base64').slice(0, length)
const answers = () => ({
  email: `${randomUUID()}@example.com`,
  customAnswers: questions.map((question) => ({ question, answer: noise(2000) })),
})
const long = () => applicationBody(answers())
const corrected = correctedBody(answers())

/** Bytes on the disk of everything the database keeps, with its indexes and with what was written over and not yet swept up. */
async function bytesKept(): Promise<number> {
  const { rows } = await stage.server.db.raw<{ rows: { bytes: string }[] }>(
    "select sum(pg_total_relation_size(oid)) as bytes from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace",
  )
  return Number(rows[0]?.bytes)
}

/** What an hour of nothing else would add, in MB, as far as the allowance lets it. */
async function hourly(
  allowance: Parameters<typeof maxPerHour>[0],
  times: number,
  act: (n: number) => Promise<{ status: number; text: string }>,
  status: number,
  rewritten: readonly string[] = [],
): Promise<number> {
  await stage.server.db('rate_limits').del()
  const before = await bytesKept()
  for (let n = 0; n < times; n += 1) {
    const answer = await act(n)
    expect(answer.status, answer.text.slice(0, 300)).toBe(status)
    // As autovacuum does while rows are written over.
    for (const table of rewritten) await stage.server.db.raw(`vacuum ${table}`)
  }
  const grown = (await bytesKept()) - before
  const rows = await stage.server.db('rate_limits').where('key', 'like', `${allowance}%`).select('points')
  const points = rows.reduce((sum, row) => sum + row.points, 0)
  return ((grown / points) * maxPerHour(allowance)) / 1_000_000
}

// A vacuum in the middle of a measure adds the maps of free space, or gives back what was written over.
await stage.server.db.raw(`
  do $$ declare name regclass; begin
    for name in select oid from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace loop
      execute format('alter table %s set (autovacuum_enabled = off)', name);
    end loop;
  end $$`)
const applied = async () => (await stage.apply('198.51.100.9', long(), await stage.publish())).body
/** Corrected and withdrawn by its applicant. */
const { token } = await applied()
/** Marked and decided by its organizer. */
const { id } = await applied()

const visit = (name: 'correctApplication' | 'withdrawApplication' | 'applyAsBeacon' | 'cancelMutation', call: object) =>
  stage.server.call(name, { ...call, headers: here })

const visitorChanges: [string, number, number, (n: number) => ReturnType<typeof visit>][] = [
  // Tables grow by pages of 8 kB: of few small rows a page more or less decides.
  ['short applications', 150, 201, () => stage.apply('198.51.100.1', { bio: noise(500) })],
  ['long applications', 20, 201, () => visit('applyAsBeacon', { params: { eventId: stage.eventId }, body: long() })],
  ['corrections of a long one', 20, 200, () => visit('correctApplication', { body: { token, ...corrected } })],
  ['keys that are forbidden', 100, 200, () => visit('cancelMutation', { body: { account: null, key: randomUUID() } })],
  ['withdrawals again and again', 60, 200, () => visit('withdrawApplication', { body: { token } })],
]
it.each(sized(visitorChanges, visitorChanges.slice(1, 4)))(
  'an address lets the database grow by 5 MB an hour at most: %s',
  async (_, times, status, act) => {
    const mb = await hourly('visitor-change', times, act, status)
    expect(mb).toBeLessThanOrEqual(5)
  },
)

const mine = async (name: Parameters<typeof stage.olivia.call>[0], call: object) => await stage.olivia.call(name, call)
const beacon = () => ({ params: { beaconId: id } })

const documents = ['applications', 'events', 'sync_log', 'sync_scope', 'idempotency_keys']

const ownChanges: [string, number, number, (n: number) => ReturnType<typeof mine>, string[]?][] = [
  [
    // The maps of free space that a vacuum adds would decide of fewer.
    'stars on and off',
    200,
    200,
    (n) => mine('markApplication', { ...beacon(), body: { starred: n % 2 === 0 } }),
    documents,
  ],
  [
    'decisions back and forth',
    80,
    200,
    (n) => mine('decideApplication', { ...beacon(), body: { status: n % 2 ? 'approved' : 'rejected' } }),
    documents,
  ],
  ['long notes', 30, 200, () => mine('markApplication', { ...beacon(), body: { note: noise(1900) } }), documents],
  [
    'five hundred keys that are forbidden',
    4,
    200,
    () => mine('cancelMutations', { body: { keys: Array.from({ length: 500 }, () => randomUUID()) } }),
  ],
  ['long events', 30, 201, () => mine('createEvent', { body: eventBody({ description: noise(4900) }) })],
  [
    'edits of a long event',
    20,
    200,
    () => mine('updateEvent', { params: { id: stage.eventId }, body: eventBody({ description: noise(4900) }) }),
    documents,
  ],
  ['names of a device', 100, 204, () => mine('renameDevice', { body: { name: noise(60) } })],
]
it.each(sized(ownChanges, ownChanges.slice(2)))(
  'an account makes the database grow by 50 MB an hour at most: %s',
  async (_, times, status, act, rewritten) => {
    const mb = await hourly('account-change', times, act, status, rewritten)
    expect(mb).toBeLessThanOrEqual(50)
  },
)

/** Three hundred that others sent. */
const { id: _, ...template } = (await stage.server.db('applications').where({ id }).first())!
const copies = Array.from({ length: 300 }, () => ({
  ...template,
  email: `${randomUUID()}@example.com`,
  statusTokenHash: randomUUID(),
  customAnswers: '[]',
  otherNotes: '[]',
  approvedAs: null,
}))
const others = await stage.server
  .db('applications')
  .insert(copies as never)
  .returning('id')

const size = 70_000
const entries = (route: string, of: (n: number) => object) => {
  const made: string[] = []
  for (let bytes = 100; ;) {
    const n = made.length
    const entry = JSON.stringify({ key: randomUUID(), route, lane: String(n), ...of(n) })
    bytes += entry.length + 1
    if (bytes > size || n === 500) return made
    made.push(entry)
  }
}
const marking = (n: number) => ({ params: { beaconId: id }, body: { starred: n % 2 === 0 } })
const deciding = (n: number) => ({ params: { beaconId: id }, body: { status: n % 2 ? 'approved' : 'rejected' } })
const many = (n: number) => ({ params: { beaconId: others[n % others.length]!.id }, body: { status: 'approved' } })

it.each<[string, boolean, () => string[]]>([
  ['stars on a long application', true, () => entries('markApplication', marking)],
  ['decisions on a long application', true, () => entries('decideApplication', deciding)],
  ['decisions on many', true, () => entries('decideApplication', many)],
  [
    'applications to no event',
    false,
    () => entries('applyAsBeacon', () => ({ params: { eventId: 9 }, body: applicationBody() })),
  ],
  ['unknown tokens', false, () => entries('withdrawApplication', () => ({ body: { token: randomUUID() } }))],
  ['entries that cannot be read', false, () => entries('applyAsBeacon', () => ({ params: { eventId: 'x' } }))],
  ['entries that cannot be read', true, () => entries('markApplication', () => ({ body: {} }))],
  ['entries of no call', false, () => entries('nothing', () => ({}))],
])('70 kB cost 300 ms of processor time at most, and answer with 2 MB at most: %s', async (_, isMine, make) => {
  // The first time reads the program in; what a request costs is seen by those after it.
  const costs: number[] = []
  for (let time = 0; time < 3; time += 1) {
    await stage.server.db('rate_limits').del()
    const body = `{"account":${isMine ? stage.olivia.userId : null},"entries":[${make().join(',')}]}`
    const before = process.cpuUsage()
    const answer = await stage.olivia.request('POST', '/api/sync/mutations', { body })
    const { user, system } = process.cpuUsage(before)
    costs.push((user + system) / 1000)
    expect(answer.status).toBe(200)
    expect(answer.text.length).toBeLessThan(2_000_000)
  }
  // On a machine with much else to do the same work takes more of its time.
  expect(Math.min(...costs)).toBeLessThan(sized(300, 1000))
})

it('a list with more than a page says where the next one is, in the terms of HTTP', async () => {
  await stage.publish()
  const list = async (url: string) => await stage.server.client().request('GET', url)
  const first = await list('/api/events?state=&limit=1')
  const [, url = ''] = /^<(\/api\/events\?[^>]+)>; rel="next"$/.exec(first.headers.get('link') ?? '') ?? []
  const all: unknown[] = (await list('/api/events')).body
  expect([...first.body, ...(await list(url)).body]).toEqual(all.slice(0, 2))
})
