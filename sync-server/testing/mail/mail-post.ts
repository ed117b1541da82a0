import type { Knex } from 'knex'
import { pino } from 'pino'
import { afterAll, afterEach } from 'vitest'
import { claimJobs, finishJob, postponeJob } from '../../jobs/job-queue.ts'
import type { Tasks } from '../../jobs/worker.ts'
import { sendMailKind } from '../../mail/mail-store.ts'
import { mailRenderers } from '../../app/nouns.ts'
import { createMailTasks } from '../../mail/mail-tasks.ts'
import { createSmtpTransport } from '../../mail/smtp-transport.ts'
import type { OrganizerStage } from '../organizer-stage.ts'
import { headerOf, leavesOf, parseMime } from './mime.ts'
import { startSmtpService, type ReceivedMail } from './smtp-service.ts'

export type ArrivedMail = ReturnType<typeof takeApart>

export const postOrigin = 'https://beaconry.example'
const silent = pino({ level: 'silent' })

/** The way of a mail from its row to a mailbox: the real task, the real transport, a real mail server on loopback. */
export async function openMailPost(db: Knex) {
  const service = await startSmtpService()
  const transport = createSmtpTransport(service.url, { name: 'Beaconry', address: 'hello@beaconry.example' })
  return {
    service,
    /** Sends what is due at an instant and answers what arrived, in the order it did. */
    deliver: async (now: Date) => {
      service.received.length = 0
      // The tests' clock is not the database's, which says when a job is due and when a mail was queued.
      const due = db('jobs').where({ kind: sendMailKind, state: 'waiting' }).where('runAt', '<=', now)
      await due.update({ runAt: new Date(0) })
      await db('mails').where({ state: 'queued' }).update({ sendAt: now })
      const deps = { db, config: { publicOrigin: postOrigin }, log: silent, transport, renderers: mailRenderers }
      await runDue(db, createMailTasks({ ...deps, now: () => now }))
      return service.received.map(takeApart)
    },
    close: async () => {
      transport.close()
      await service.close()
    },
  }
}

/** As a worker does it, until nothing is due; without waiting for anything else, so that a test has the time in its hands. */
async function runDue(db: Knex, tasks: Tasks): Promise<void> {
  const run = { signal: new AbortController().signal, stillHeld: async () => true }
  for (;;) {
    const jobs = await claimJobs(db, new Map([[sendMailKind, 4]]), 60_000, false)
    if (jobs.length === 0) return
    for (const job of jobs) {
      const result = await tasks[sendMailKind]!(job, run)
      if (result) await postponeJob(db, job, result.runAgainAt)
      else await finishJob(db, job)
    }
  }
}

/** A mail that arrived, taken apart; without a calendar file that is undefined. */
function takeApart(mail: ReceivedMail) {
  const mime = parseMime(mail.raw)
  const leaf = (type: string) => leavesOf(mime).find((part) => part.type === type)?.content
  return {
    ...mail,
    mime,
    subject: headerOf(mime, 'subject') ?? '',
    text: (leaf('text/plain') ?? '').replaceAll('\r\n', '\n'),
    html: leaf('text/html') ?? '',
    calendar: leaf('text/calendar'),
  }
}

export type OrganizerPost = Awaited<ReturnType<typeof setOrganizerPost>>

/** The way of the mails of an organizer's stage to their mailboxes, beside the stage of the calling file; none outlives its test. */
export async function setOrganizerPost(stage: OrganizerStage) {
  const post = await openMailPost(stage.db)
  afterAll(() => post.close())
  afterEach(async () => {
    await stage.db('mails').del()
    await stage.db('jobs').del()
  })
  return {
    /** Lets so many milliseconds pass on the stage, and answers the mails that leave by then. */
    after: async (ms: number) => {
      stage.clock.now = new Date(stage.clock.now.getTime() + ms)
      return await post.deliver(stage.clock.now)
    },
  }
}
