import { pino } from 'pino'
import { createKnex } from '../db/knex-config.ts'
import type { ClaimedJob } from '../jobs/job-queue.ts'
import { type JobRun, startWorker } from '../jobs/worker.ts'

/**
 * A server as far as jobs go, for tests that kill it: does jobs of the kind `deliver`, writes each step into the table
 * `steps`, and dies where a job's payload says so. `effects` stands for the world outside, which takes whatever comes.
 */
const db = createKnex(process.env['DATABASE_URL'] ?? '')

interface Delivery {
  readonly dieAt?: string
  /** In its first so many attempts. */
  readonly dieTimes?: number
  /** Waits until the table `gates` has a row. */
  readonly waits?: true
  /** Notes what went out in the same transaction, as what never leaves the database can. */
  readonly marked?: true
}

async function deliver(job: ClaimedJob, run: JobRun): Promise<undefined> {
  const { dieAt, dieTimes = 1, waits, marked } = job.payload as Delivery
  const step = async (name: string) => {
    await db('steps').insert({ key: job.key, step: name, pid: process.pid })
    if (name === dieAt && job.attempts <= dieTimes) process.kill(process.pid, 'SIGKILL')
  }
  await step('claimed')
  // A process that stood still finds that whatever it was waiting for has timed out.
  const isOpen = async () =>
    await db('gates')
      .first()
      .catch(() => undefined)
  while (waits && !(await isOpen())) await new Promise((resolve) => setTimeout(resolve, 20))
  await step('middle')
  if (!(await run.stillHeld())) {
    await step('refrained')
    throw new Error('the job is somebody else’s')
  }
  const effect = { key: job.key, pid: process.pid }
  if (marked) {
    await db.transaction(async (trx) => {
      if (await trx('effects').where({ key: job.key }).first()) return
      await trx('effects').insert(effect)
    })
  } else {
    await db('effects').insert(effect)
  }
  await step('effect')
  return undefined
}

const worker = startWorker(db, { deliver }, pino({ level: 'silent' }), {
  leaseMs: Number(process.env['LEASE_MS']),
  pollMs: 100,
})
process.on('SIGTERM', () => {
  void worker.stop().then(async () => {
    await db.destroy()
    process.exit(0)
  })
})
