import type { Knex } from 'knex'
import { jobsChannel } from '../../jobs/job-store.ts'

/** As if the server that holds jobs had been killed a minute ago: another one may take them over. */
export async function endLeases(db: Knex): Promise<void> {
  await db('jobs')
    .where({ state: 'running' })
    .update({ leaseUntil: new Date(0) })
}

/** Lets jobs that wait be due, whenever they were to run: those of one kind, or all. */
export async function makeJobsDue(db: Knex, which: { readonly kind?: string } = {}): Promise<void> {
  await db('jobs')
    .where({ ...which, state: 'waiting' })
    .update({ runAt: new Date(0) })
}

/** Tells whoever works on the queue to look now. */
export async function wakeWorkers(db: Knex): Promise<void> {
  await db.raw(`select pg_notify(?, '')`, [jobsChannel])
}
