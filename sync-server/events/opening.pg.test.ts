import { Client } from 'pg'
import { pino } from 'pino'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { finishJob, postponeJob } from '../jobs/job-queue.ts'
import { startWorker } from '../jobs/worker.ts'
import { claimOpenings, letSecondPass, publishOpening } from '../testing/jobs/opening-jobs.ts'
import { makeJobsDue } from '../testing/jobs/queued-jobs.ts'
import { setOrganizerStage } from '../testing/organizer-stage.ts'
import { openPool } from '../testing/route-rig.ts'
import { createOpeningTasks, openingKind, queueOpening } from './opening.ts'

const stage = await setOrganizerStage()
const { db } = stage
const listener = new Client({ connectionString: stage.connectionString })
await listener.connect()
await listener.query('listen published')
await db.raw(`create function tell_publication() returns trigger language plpgsql
  as $$ begin perform pg_notify('published', ''); return null; end $$`)
await db.raw(`create trigger tell_publication after insert or update on sync_log for each row
  when (new.scope = 'public' and new.collection = 'events') execute function tell_publication()`)
afterAll(() => listener.end())

let eventId: number
beforeEach(async () => {
  await db('jobs').del()
  eventId = (await stage.publish({ maxBeacons: 40 })).id
  await letSecondPass(db)
})

const applicants = async (count: number) => {
  const ids: number[] = []
  for (let index = 0; index < count; index += 1)
    ids.push(await stage.applicant(eventId, { email: `bea-${index}@example.com` }))
  return ids
}
const approve = async (id: number) => expect((await stage.decide(id, { status: 'approved' })).status).toBe(200)
const told = async () => (await stage.run('getEvent', { params: { id: eventId } })).body.beaconCount
const states = async () => await db('jobs').where({ kind: openingKind }).orderBy('id').pluck('state')
const claimDue = async () => {
  await makeJobsDue(db, { kind: openingKind })
  return await claimOpenings(db)
}
/** How many transactions wait for another's lock. */
const waiting = async () => {
  const { rows } = await db.raw(
    `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rows.length
}

it('an approval wakes the workers that publish its event', async () => {
  const [id] = await applicants(1)
  const awake = new Client({ connectionString: stage.connectionString })
  await awake.connect()
  await awake.query('listen jobs')
  const heard: (string | undefined)[] = []
  awake.on('notification', ({ payload }) => heard.push(payload))
  await approve(id as number)
  await awake.query('select 1')
  await awake.end()
  expect(heard).toEqual([openingKind])
})

it('approvals at once publish their event once a second, and last with the right count', async () => {
  const ids = await applicants(24)
  await openPool(db)
  let published = 0
  const count = () => void (published += 1)
  listener.on('notification', count)
  const worker = startWorker(db, createOpeningTasks({ db }), pino({ level: 'silent' }), { pollMs: 200 })
  try {
    const startedAt = performance.now()
    await Promise.all(ids.map(approve))
    const seconds = (performance.now() - startedAt) / 1000
    await expect.poll(states).toSatisfy((all: string[]) => all.every((state) => state === 'done'))
    expect(await told()).toBe(24)
    expect(published).toBeGreaterThanOrEqual(1)
    expect(published).toBeLessThanOrEqual(2 + Math.floor(seconds))
  } finally {
    listener.off('notification', count)
    await worker.stop()
  }
})

it('one after the other they share a job that waits, and none that is due', async () => {
  const [first, second, third] = await applicants(3)
  await db.transaction(async (trx) => {
    await queueOpening(trx, eventId)
    await queueOpening(trx, eventId)
  })
  // What waits does so for as long as this test takes.
  await db('jobs')
    .where({ kind: openingKind })
    .update({ runAt: new Date(Date.now() + 600_000) })
  await approve(first!)
  await approve(second!)
  expect(await states()).toEqual(['waiting'])
  await makeJobsDue(db, { kind: openingKind })
  await approve(third!)
  expect(await states()).toEqual(['waiting', 'waiting'])
})

it('an approval that commits long after the job is due is waited for', async () => {
  const [early, late] = await applicants(2)
  await approve(early!)
  await db('jobs').update({ runAt: db.raw(`now() + interval '2 seconds'`) })
  const isDue = async () => (await db('jobs').whereRaw('run_at <= now()').first('id')) !== undefined
  const slow = await db.transaction()
  await slow('applications').where({ id: late }).update({ status: 'approved' })
  await queueOpening(slow, eventId)
  try {
    await expect.poll(isDue).toBe(true)
    expect(await claimOpenings(db)).toEqual([])
  } finally {
    await slow.commit()
  }
  const [job, ...more] = await claimOpenings(db)
  expect(more, 'it shared the job').toEqual([])
  expect(await publishOpening(db, job!)).toBeUndefined()
  expect(await told()).toBe(2)
})

it('an approval that commits while the job runs queues another', async () => {
  const [before, meanwhile] = await applicants(2)
  await approve(before!)
  const [job] = await claimDue()
  const feed = await db.transaction()
  await feed('sync_scope').where({ scope: 'public' }).forUpdate().first()
  const running = publishOpening(db, job!)
  // The job has counted, and waits for the feed.
  await expect.poll(waiting).toBe(1)
  const deciding = approve(meanwhile!)
  await expect.poll(waiting).toBe(2)
  await feed.commit()
  expect(await running).toBeUndefined()
  await deciding
  await finishJob(db, job!)
  expect(await told()).toBe(1)
  await letSecondPass(db)
  const [next] = await claimDue()
  expect(await publishOpening(db, next!)).toBeUndefined()
  expect(await told()).toBe(2)
})

it('published within a second waits for the next one; an unchanged event is not published', async () => {
  const [first, second] = await applicants(2)
  await approve(first!)
  const [job] = await claimDue()
  await publishOpening(db, job!)
  await finishJob(db, job!)
  await approve(second!)
  const [early] = await claimDue()
  const result = await publishOpening(db, early!)
  expect(result).toEqual({ runAgainAt: expect.any(Date) })
  expect(await told()).toBe(1)
  await postponeJob(db, early!, result!.runAgainAt)
  await letSecondPass(db)
  const [again] = await claimDue()
  expect(await publishOpening(db, again!)).toBeUndefined()
  expect(await told()).toBe(2)
  const version = await db('sync_scope').where({ scope: 'public' }).first('version')
  expect(await publishOpening(db, again!)).toBeUndefined()
  expect(await db('sync_scope').where({ scope: 'public' }).first('version')).toEqual(version)
})

it('nothing is published of an event that was hidden or deleted meanwhile', async () => {
  const [id] = await applicants(1)
  await approve(id!)
  const [job] = await claimDue()
  await db('events').where({ id: eventId }).update({ visibility: 'hidden' })
  const shown = { scope: 'public', collection: 'events', docId: String(eventId) } as const
  await letSecondPass(db)
  await publishOpening(db, job!)
  expect(await db('sync_log').where(shown).first('deleted')).toEqual({ deleted: true })
  expect((await stage.run('deleteEvent', { as: stage.olivia, params: { id: eventId } })).status).toBe(204)
  expect(await publishOpening(db, job!)).toBeUndefined()
  expect(await db('sync_log').where(shown).first('deleted')).toEqual({ deleted: true })
})
