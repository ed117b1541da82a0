import type { Knex } from 'knex'
import { expect } from 'vitest'
import { createOpeningTasks, openingKind } from '../../events/opening.ts'
import { claimJobs, type ClaimedJob, finishJob } from '../../jobs/job-queue.ts'
import type { TaskResult } from '../../jobs/worker.ts'
import { makeJobsDue } from './queued-jobs.ts'

/** Takes what waits to tell the public how many Beacons events have and is due, as a worker does. */
export async function claimOpenings(db: Knex): Promise<ClaimedJob[]> {
  return await claimJobs(db, new Map([[openingKind, 100]]), 60_000, false)
}

export async function publishOpening(db: Knex, job: ClaimedJob): Promise<TaskResult> {
  const run = { signal: new AbortController().signal, stillHeld: async () => true }
  return await createOpeningTasks({ db })[openingKind]!(job, run)
}

/** As if the events had been published longer ago than a second. */
export async function letSecondPass(db: Knex): Promise<void> {
  await db('sync_log')
    .where({ scope: 'public', collection: 'events' })
    .update({ updatedAt: db.raw(`updated_at - interval '1 second'`) })
}

/** A second passes, and the public is told how many Beacons events have. */
export async function publishOpenings(db: Knex): Promise<void> {
  await letSecondPass(db)
  await makeJobsDue(db, { kind: openingKind })
  for (const job of await claimOpenings(db)) {
    expect(await publishOpening(db, job)).toBeUndefined()
    await finishJob(db, job)
  }
}
