import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Knex } from 'knex'
import type Koa from 'koa'
import { mergeDailySums } from '../admin/daily-sums.ts'
import { gatherAlerts } from '../applications/alerts/new-application-alerts.ts'
import { archiveApplications } from '../applications/archive.ts'
import { startEmbeddedPostgres } from '../db/embedded/embedded-postgres.ts'
import { createKnex } from '../db/knex-config.ts'
import { migrate } from '../db/migrate.ts'
import { siteMap } from '../http/pages/site-files.ts'
import { deleteDueAccounts } from '../personal-data/delete-account.ts'
import { exportAccount } from '../personal-data/export-account.ts'
import { deleteApplicant, exportApplicant } from '../personal-data/applicant-data.ts'
import { purgeApplications } from '../personal-data/purge-applications.ts'
import { UNLIMITED } from '../testing/billing-rows.ts'
import { addAlertedDevice } from '../testing/account-rows.ts'
import { fillInstallation } from '../testing/fill-installation.ts'
import { applicationBody, createRouteRig, eventBody } from '../testing/route-rig.ts'
import { ms, type Figure } from './figures.ts'

/** The larger installation is this many times as large. */
const times = 20
/** So far may a call's or job's blocks grow with it. */
const limit = 1.5
/** Or so many blocks: trees become a page deeper, and small tables, such as sessions, are read whole until they are large. */
const freeBlocks = 64

interface Measured {
  readonly blocks: number
  readonly tookMs: number
  /** What is compared is what one of these costs: rows that were answered, or 1. */
  readonly per: number
}

/**
 * Blocks that each call and job touches in a small and a large installation. The installation's own history grows, and
 * what is asked of it stays: an event of so many applicants, an account of so many events.
 */
export async function benchGrowth(): Promise<Figure[]> {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'beaconry-growth-'))
  const postgres = await startEmbeddedPostgres({ dataDir, durability: 'test', log: () => undefined })
  try {
    const small = await measureInstallation(postgres.connectionString, 1)
    const large = await measureInstallation(postgres.connectionString, times)
    return [...small].map(([name, one]) => compared(name, one, large.get(name)))
  } finally {
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

function compared(name: string, small: Measured, large: Measured = small): Figure {
  const ratio = large.blocks / large.per / (small.blocks / small.per)
  const inWords = ({ blocks, per, tookMs }: Measured) =>
    `${blocks} blocks${per === 1 ? '' : ` for ${per}`}, ${ms(tookMs)}`
  return {
    name: `${name}: ${times} × as much history`,
    seen: inWords(large),
    floor: inWords(small),
    ratio: `${ratio.toFixed(2)}×`,
    target: `≤ ${limit}× the blocks, or ${freeBlocks} more`,
    isReached: ratio <= limit || (large.per === 1 && large.blocks - small.blocks <= freeBlocks),
  }
}

async function measureInstallation(connectionString: string, size: number): Promise<ReadonlyMap<string, Measured>> {
  const own = new URL(connectionString)
  own.pathname = `/growth_${size}`
  const admin = createKnex(connectionString)
  await admin.raw(`create database growth_${size}`)
  await admin.destroy()
  // All is asked on one connection, whose counters are read.
  const db = createKnex(own.href, { poolSize: 1, statementTimeoutMs: 0 })
  try {
    await migrate(db)
    const start = performance.now()
    await fillInstallation(db, { events: 1_000 * size, applications: 43 })
    console.log(`filled ${size} × the installation in ${ms(performance.now() - start)}`)
    await printIndexSizes(db, size)
    return await measureAll(db)
  } finally {
    await db.destroy()
  }
}

async function printIndexSizes(db: Knex, size: number): Promise<void> {
  if (size === 1) return
  const { rows } = await db.raw<{ rows: { name: string; size: string }[] }>(
    `select indexrelid::regclass::text as name, pg_size_pretty(pg_relation_size(indexrelid)) as size from pg_index
     join pg_class c on c.oid = indrelid where relnamespace = 'public'::regnamespace and not indisprimary order by 1`,
  )
  console.log(rows.map((row) => `${row.name} ${row.size}`).join(', '))
}

async function readBlocks(db: Knex): Promise<number> {
  await db.raw('select pg_stat_force_next_flush()')
  const { rows } = await db.raw<{ rows: { blocks: number }[] }>(
    `select sum(coalesce(heap_blks_hit, 0) + coalesce(heap_blks_read, 0) + coalesce(idx_blks_hit, 0) + coalesce(idx_blks_read, 0)
       + coalesce(toast_blks_hit, 0) + coalesce(toast_blks_read, 0) + coalesce(tidx_blks_hit, 0) + coalesce(tidx_blks_read, 0))::bigint as blocks
     from pg_statio_user_tables`,
  )
  return rows[0]?.blocks ?? 0
}

async function measureAll(db: Knex): Promise<ReadonlyMap<string, Measured>> {
  const figures = new Map<string, Measured>()
  const measure = async <T>(name: string, run: () => Promise<T>, perOf: (answer: T) => number = () => 1) => {
    const before = await readBlocks(db)
    const start = performance.now()
    const answer = await run()
    const tookMs = performance.now() - start
    figures.set(name, { blocks: (await readBlocks(db)) - before, tookMs, per: Math.max(1, perOf(answer)) })
    return answer
  }
  const rig = createRouteRig(db)
  const now = new Date()
  const olivia = await rig.addPerson('Olivia')
  await rig.addSubscription(olivia, UNLIMITED)
  await addAlertedDevice(db, olivia.userId)
  const addEvent = async (applicants: number) => {
    const { id } = (await rig.run('createEvent', { as: olivia, body: eventBody() })).body
    const ids: number[] = []
    for (let n = 0; n < applicants; n += 1) ids.push(await apply(id, `person${n}of${id}@example.com`))
    return { id, ids }
  }
  const apply = async (eventId: number, email: string) =>
    (await rig.run('applyAsBeacon', { params: { eventId }, body: applicationBody({ email }) })).body.id
  const decide = async (beaconId: number) =>
    await rig.run('decideApplication', { as: olivia, params: { beaconId }, body: { status: 'approved' } })
  const over = async (id: number, days: number) =>
    await db.raw(
      `update events set start_date = current_date - ?::int, end_date = current_date - ?::int where id = ?`,
      [days, days, id],
    )
  const list = async (query: Record<string, string>) => (await rig.run('listEvents', { query })).body.length

  const event = await addEvent(10)
  // The first of a kind reads what its connection keeps.
  for (const id of event.ids.slice(0, 5)) await decide(id)
  await measure('list of 50', () => list({ limit: '50' }))
  const rows = (count: number) => count
  await measure('list of 50 in a state', () => list({ limit: '50', state: 'Texas' }), rows)
  await measure('events near a ZIP code', () => list({ limit: '50', zipCode: '60611', radius: '250' }), rows)
  await measure('events with two words', () => list({ q: 'mixer harbor' }), rows)
  const addresses = async () => (await readSiteMap(db)).split('/events/').length - 1
  await measure('sitemap', addresses, rows)
  await measure('apply', () => apply(event.id, 'one@example.com'))
  await measure('decide', () => decide(event.ids[7] ?? 0))
  const alert = await db('jobs').where({ kind: 'new-application-push', state: 'waiting' }).orderBy('id').first()
  const held = { signal: new AbortController().signal, stillHeld: async () => true }
  await measure('alert of an application', () =>
    gatherAlerts({ db })({ ...alert, takenOver: false } as never, held as never),
  )
  const ada = await rig.addPerson('Ada', { isAdmin: true })
  const stats = async () => (await rig.run('getAdminStats', { as: ada })).body.activeUsers
  await measure('figures for admins', stats, rows)
  await measure('series by month for admins', () => rig.run('getAdminSeries', { as: ada, query: { by: 'month' } }))
  await measure('merging daily sums', () => mergeDailySums(db, now))
  const archived = await addEvent(10)
  for (const id of archived.ids) await decide(id)
  await over(archived.id, 40)
  await measure('archive 10 applications', () => archiveApplications(db, now))
  await measure('archive none', () => archiveApplications(db, now))
  await over((await addEvent(10)).id, 400)
  await measure('delete 10 applications after 12 months', () => purgeApplications(db, now))
  await measure('delete none after 12 months', () => purgeApplications(db, now))
  await measure('export of an applicant', () => exportApplicant(db, 'one@example.com'))
  await measure('deletion of an applicant', () => db.transaction((trx) => deleteApplicant(trx, 'one@example.com', now)))
  await measure('export of an account', () => exportAccount(db, olivia.userId))
  await db('users')
    .where({ id: olivia.userId })
    .update({ deletesAt: new Date(now.getTime() - 1) })
  await measure('deletion of an account', () => deleteDueAccounts(db, now))
  return figures
}

async function readSiteMap(db: Knex): Promise<string> {
  const ctx = { path: '/sitemap.xml', set: () => undefined, body: '' }
  const parts = { db, publicOrigin: 'https://beaconry.example', hasPlans: true, now: () => new Date() }
  await siteMap(parts)(ctx as unknown as Koa.ParameterizedContext, async () => undefined)
  return ctx.body
}
