import type {
  RefusedChange as RefusedChangeAnswer,
  StrandedJob as StrandedJobAnswer,
} from '#shared/admin/admin-calls.ts'
import type { Knex } from 'knex'
import type { Room } from '../calls/handler.ts'
import { ProblemError } from '../calls/problems.ts'
import {
  countStrandedJobs,
  discardJobs,
  findDeadJob,
  listDeadJobsOf,
  listStrandedJobs,
  reviveJobs,
  type StrandedJob,
} from '../jobs/dead-job-store.ts'
import { retryMail, sendMailKind } from '../mail/mail-store.ts'
import {
  askForAnotherTry,
  listAskedFor,
  listRefusedChanges,
  markRefusedChangeSeen,
  type RefusedChange,
} from '../sync/refused-change-store.ts'

const shownAtMost = 200
const revivedAtOnce = 500

/**
 * How an admin keeps the platform running: what failed behind the scenes, and what phones were refused. Running a job again
 * does what its organizer or applicant had asked for; nothing here touches what belongs to them.
 */
export const operationHandlers: Room<
  | 'listStrandedJobs'
  | 'retryJob'
  | 'discardJob'
  | 'listRefusedChanges'
  | 'askForAnotherTry'
  | 'putRefusedChangeAside'
  | 'listAskedTries'
> = {
  listStrandedJobs: async ({ db }) => ({
    jobs: (await listStrandedJobs(db, shownAtMost)).map(presentJob),
    counts: await countStrandedJobs(db),
  }),
  retryJob: async ({ db, now, params, body }) => {
    const job = await findDeadJob(db, params.id)
    if (!job) return { count: 0 }
    const jobs = body.of === 'kind' ? await listDeadJobsOf(db, job.kind, revivedAtOnce) : [job]
    return { count: await runAgain(db, jobs, now) }
  },
  discardJob: async ({ db, params }) => ({ count: await discardJobs(db, [params.id]) }),
  listRefusedChanges: async ({ db }) => (await listRefusedChanges(db, shownAtMost)).map(presentRefusedChange),
  askForAnotherTry: async ({ db, params }) => {
    if (!(await askForAnotherTry(db, params.id))) throw notFound()
    return undefined
  },
  putRefusedChangeAside: async ({ db, params }) => {
    if (!(await markRefusedChangeSeen(db, params.id))) throw notFound()
    return undefined
  },
  listAskedTries: async ({ db, caller }) => (caller ? await listAskedFor(db, caller.userId) : []),
}

const notFound = () => new ProblemError('not_found', 'This is not listed any more.')

/** A mail that was given up is sent by a job of its own, as when its organizer asks for it: its log tells of that try. */
async function runAgain(trx: Knex, jobs: readonly Pick<StrandedJob, 'id' | 'kind' | 'payload'>[], now: Date) {
  const replaced: number[] = []
  for (const { id, kind, payload } of jobs) {
    if (kind === sendMailKind && (await retryMail(trx, Number(payload['mailId']), now))) replaced.push(id)
  }
  await discardJobs(trx, replaced)
  const rest = jobs.flatMap(({ id }) => (replaced.includes(id) ? [] : [id]))
  return replaced.length + (await reviveJobs(trx, rest))
}

/** Where the payloads of our tasks say what they are about; nothing else of them is told. */
const subjects = {
  eventId: 'event',
  applicationId: 'application',
  mailId: 'mail',
  userId: 'account',
  planId: 'plan',
  paymentId: 'payment',
} as const

function presentJob({ id, kind, standing, payload, attempts, lastError, since }: StrandedJob): StrandedJobAnswer {
  const about = Object.entries(subjects).flatMap(([name, what]) => {
    const value = payload[name]
    return typeof value === 'number' && Number.isSafeInteger(value) ? [{ what, id: value }] : []
  })
  return { id, kind, standing, about, attempts, lastError, since: since.toISOString() }
}

function presentRefusedChange(row: RefusedChange): RefusedChangeAnswer {
  const isAsked = row.askedAt !== null && row.askedAt >= row.lastAt
  return {
    id: row.id,
    route: row.route,
    code: row.code,
    account: row.userId === null ? null : { id: row.userId, username: row.username ?? '' },
    deviceName: row.deviceName,
    times: row.times,
    firstAt: row.firstAt.toISOString(),
    lastAt: row.lastAt.toISOString(),
    askedAt: isAsked && row.askedAt ? row.askedAt.toISOString() : null,
  }
}
