// node --import tsx sync-server/bench/capacity.ts: what one call costs the server's process and PostgreSQL, in processor time; for docs/scale.md. Linux
// only: it reads /proc. Needs `npm run build` and a machine that does nothing else.
import { randomUUID } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import os from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { headers, requestFor } from '#shared/contract/request.ts'
import type { EndpointName } from '#shared/contract/endpoints.ts'
import { applicationBody } from '../testing/route-rig.ts'
import { createKnex } from '../db/knex-config.ts'
import { median } from './figures.ts'
import { processorMs } from './process-meters.ts'
import { openStage, type Organizer } from './stage.ts'
import { approvalBatches } from './replay.bench.ts'

const stage = await openStage({ TRUST_PROXY: '1' })
const { db, server } = stage

interface Cost {
  readonly serverMs: number
  readonly databaseMs: number
  readonly walBytes: number
  readonly secondsPassed: number
}

async function readMeters() {
  const { rows } = await db.raw<{ rows: { pids: number[]; wal: number }[] }>(
    `select array(select pid from pg_stat_activity) as pids, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as wal`,
  )
  const { pids = [], wal = 0 } = rows[0] ?? {}
  return {
    serverMs: processorMs(server.pid()),
    databaseMs: pids.reduce((sum, one) => sum + processorMs(one), 0),
    walBytes: wal,
    at: performance.now(),
  }
}

/** What the work of `run` costs, all of it together. */
async function costOf(run: () => Promise<unknown>): Promise<Cost> {
  const before = await readMeters()
  await run()
  // Alerts and mails that a call has queued belong to it.
  await delay(1_000)
  const after = await readMeters()
  return {
    serverMs: after.serverMs - before.serverMs,
    databaseMs: after.databaseMs - before.databaseMs,
    walBytes: after.walBytes - before.walBytes,
    secondsPassed: (after.at - before.at) / 1000 - 1,
  }
}

async function send(
  name: EndpointName,
  {
    params = {},
    query,
    body,
    cookie,
  }: { params?: Record<string, string>; query?: string; body?: string | object; cookie?: string } = {},
): Promise<void> {
  const { method, url } = requestFor(name, params)
  const answer = await fetch(new URL(url + (query ?? ''), server.origin), {
    method,
    headers: {
      'Accept-Encoding': 'gzip',
      'X-Forwarded-For': `10.${Math.floor(Math.random() * 255)}.${Math.floor(Math.random() * 255)}.7`,
      [headers.deviceId]: randomUUID(),
      ...(cookie ? { cookie: `sid=${cookie}` } : {}),
      ...(body ? { 'Content-Type': 'application/json', [headers.idempotencyKey]: randomUUID() } : {}),
    },
    ...(body ? { body: typeof body === 'string' ? body : JSON.stringify(body) } : {}),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${name} was answered ${answer.status}: ${text.slice(0, 200)}`)
}

/** Eight at once, as a busy evening has them. */
async function repeat(times: number, one: (index: number) => Promise<void>): Promise<void> {
  let next = 0
  const worker = async () => {
    while (next < times) await one(next++)
  }
  await Promise.all(Array.from({ length: 8 }, worker))
}

const rows: string[][] = []

/** Three rounds, of which the median counts. */
async function measure(what: string, times: number, round: (index: number) => Promise<() => Promise<unknown>>) {
  const costs: Cost[] = []
  for (let index = 0; index < 3; index += 1) {
    const run = await round(index)
    await db('rate_limits').del()
    costs.push(await costOf(run))
  }
  const per = (pick: (cost: Cost) => number) => median(costs.map(pick)) / times
  rows.push([
    what,
    `${per(({ serverMs }) => serverMs).toFixed(2)} ms`,
    `${per(({ databaseMs }) => databaseMs).toFixed(2)} ms`,
    `${(per(({ walBytes }) => walBytes) / 1024).toFixed(1)} kB`,
    `${Math.round(1 / per(({ secondsPassed }) => secondsPassed))}/s`,
  ])
  console.log(rows.at(-1)?.join(' | '))
}

/** The value that an organizer's phone names so that only what is new is answered. */
async function checkpointOf(cookie: string): Promise<string> {
  const answer = await fetch(`${server.origin}/api/sync/pull?scope=account&limit=5000`, {
    headers: { cookie: `sid=${cookie}`, [headers.deviceId]: 'capacity' },
  })
  return ((await answer.json()) as { checkpoint: string }).checkpoint
}

async function openStreams(count: number, cookie: string): Promise<Socket[]> {
  const { url } = requestFor('openStream', {})
  const sockets = await Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise<Socket>((resolve, reject) => {
          const socket = connect(server.port, 'localhost', () =>
            socket.write(
              `GET ${url} HTTP/1.1\r\nHost: localhost:${server.port}\r\nCookie: sid=${cookie}\r\nX-Forwarded-For: 10.1.2.${Math.floor(Math.random() * 255)}\r\n${headers.deviceId}: ${randomUUID()}\r\n\r\n`,
            ),
          )
          socket.once('data', (head: Buffer) =>
            head.toString().startsWith('HTTP/1.1 200')
              ? resolve(socket)
              : reject(new Error(`a stream was answered ${head.toString().slice(0, 60)}`)),
          )
          socket.once('error', reject)
        }),
    ),
  )
  return sockets
}

/** The demo has some. */
const countApproved = async () => (await db('applications').where({ status: 'approved' }).pluck('id')).length

const calls = 1_000
const phones = 500
try {
  const approvedBefore = await countApproved()
  const organizer = await stage.addOrganizer(50, 50)
  const cookie = await stage.signIn(organizer.userId)
  const eventId = String(organizer.eventId)
  await repeat(400, () => send('listEvents'))

  await measure(
    'an event page is opened',
    calls,
    async () => () => repeat(calls, () => send('getEvent', { params: { id: eventId } })),
  )
  await measure('the list of 50 events', calls, async () => () => repeat(calls, () => send('listEvents')))
  const checkpoint = await checkpointOf(cookie)
  const query = `?scope=account&checkpoint=${encodeURIComponent(checkpoint)}`
  await measure(
    'a phone asks for news, and there is none',
    calls,
    async () => () => repeat(calls, () => send('pull', { query, cookie })),
  )
  await measure(
    'an application',
    300,
    async (round) => () =>
      repeat(300, (index) =>
        send('applyAsBeacon', {
          params: { eventId },
          body: applicationBody({ email: `round${round}-${index}@example.com` }),
        }),
      ),
  )
  const halls = await Promise.all(Array.from({ length: 8 }, () => stage.addOrganizer(1)))
  await measure(
    'an application, eight events at once',
    304,
    async (round) => () =>
      repeat(304, (index) =>
        send('applyAsBeacon', {
          params: { eventId: String(halls[index % halls.length]?.eventId) },
          body: applicationBody({ email: `hall${round}-${index}@example.com` }),
        }),
      ),
  )
  const decideAll = async (decide: (organizer: Organizer, cookie: string) => Promise<void>) => {
    const one = await stage.addOrganizer(300)
    const session = await stage.signIn(one.userId)
    return () => decide(one, session)
  }
  await measure('a decision alone', 300, () =>
    decideAll((one, session) =>
      repeat(300, (index) =>
        send('decideApplication', {
          params: { beaconId: String(one.applicationIds[index]) },
          body: { status: 'approved' },
          cookie: session,
        }),
      ),
    ),
  )
  await measure('a decision in a batch', 300, () =>
    decideAll(async (one, session) => {
      for (const body of approvalBatches(one)) await send('replayMutations', { body, cookie: session })
    }),
  )
  const followed = await stage.addOrganizer(300)
  const session = await stage.signIn(followed.userId)
  const sockets = await openStreams(phones, session)
  await delay(2_000)
  const idle = await costOf(() => delay(20_000))
  console.log(
    `${phones} live phones at rest | ${(idle.serverMs / 21).toFixed(1)} ms a second | ${(Math.max(0, idle.databaseMs) / 21).toFixed(1)} ms a second`,
  )
  await measure(
    `a decision that ${phones} live phones are told`,
    20,
    async (round) => () =>
      repeat(20, (index) =>
        send('decideApplication', {
          params: { beaconId: String(followed.applicationIds[round * 20 + index]) },
          body: { status: 'approved' },
          cookie: session,
        }),
      ),
  )
  for (const socket of sockets) socket.destroy()
  const decided = (await countApproved()) - approvedBefore
  if (decided !== 6 * 300 + 3 * 20) throw new Error(`${decided} applications were approved`)

  // NOTIFY takes a lock of the whole database until its transaction has committed.
  const many = createKnex(stage.connectionString, { poolSize: 32 })
  const commits = async (statement: string) => {
    const until = performance.now() + 3_000
    let count = 0
    const worker = async () => {
      while (performance.now() < until) {
        await many.raw(statement)
        count += 1
      }
    }
    await Promise.all(Array.from({ length: 32 }, worker))
    return Math.round(count / 3)
  }
  await many.raw('create table capacity_probe (at timestamptz)')
  const write = 'insert into capacity_probe values (now())'
  const plain: number[] = []
  const told: number[] = []
  for (let turn = 0; turn < 3; turn += 1) {
    plain.push(await commits(write))
    told.push(await commits(`with written as (${write} returning 1) select pg_notify('capacity', 'x') from written`))
  }
  await many.destroy()
  console.log(
    `commits a second: ${median(plain)}, with NOTIFY: ${median(told)} (${(median(told) / median(plain)).toFixed(2)}×)`,
  )
} finally {
  await stage.stop()
}
const head = ['one of', 'server', 'PostgreSQL', 'log written', 'at once on this machine']
console.log(`\n${[head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')}`)
console.log(`\nMedians of three rounds on ${os.cpus().length} × ${os.cpus()[0]?.model.trim() ?? 'CPU'}.`)
