import { createHash } from 'node:crypto'
import type { Knex } from 'knex'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { MailRow } from '../db/rows/message-rows.ts'
import { backoffMs, type ClaimedJob } from '../jobs/job-queue.ts'
import { type JobRun, RetryLater, type Task, type TaskResult, type Tasks } from '../jobs/worker.ts'
import {
  beginMail,
  cancelMail,
  findMailToSend,
  giveUpAbandonedMails,
  giveUpMail,
  noteHandedOver,
  noteNotTaken,
  noteRefused,
  noteSent,
  noteUnknown,
  purgeMails,
} from './mail-delivery.ts'
import { sendMailKind } from './mail-store.ts'
import { mailboxFull, mailboxIsFull, noteWaitsForAllowance, waitForAllowance } from './mail-allowance.ts'
import { findHostOfMail } from './mail-host.ts'
import { composeMail, type MailRenderers } from './mail-message.ts'
import type { MailMessage } from './mail-content.ts'
import { MailNotSent, type MailTransport } from './mail-transport.ts'

export interface MailTaskDeps {
  readonly db: Knex
  readonly config: Pick<Config, 'publicOrigin'>
  readonly log: Logger
  readonly transport: MailTransport
  readonly renderers: MailRenderers
  readonly now?: () => Date
}

export function createMailTasks(deps: MailTaskDeps): Tasks {
  return deps.transport.isSetUp ? { [sendMailKind]: send(deps) } : {}
}

/**
 * Before `handed_over_at` the mail server lacks the last piece: a killed attempt is repeated. After it only a person
 * sends again.
 */
function send(deps: MailTaskDeps): Task {
  return async (job, run) => {
    const begun = await begin(deps, job)
    if (begun === undefined || 'runAgainAt' in begun) return begun
    const { mail, message } = begun
    try {
      await deps.transport.send(message, {
        id: messageId(mail),
        signal: run.signal,
        beforeLastPiece: async () => {
          if (!(await run.stillHeld()) || !(await noteHandedOver(deps.db, mail))) throw new Overtaken()
        },
      })
    } catch (error) {
      return await noteFailure(deps, job, run, mail, error)
    }
    await retryUntilWritten(() => noteSent(deps.db, mail))
    return undefined
  }
}

class Overtaken extends Error {
  constructor() {
    super('interrupted: the mail is not this sender’s any more')
  }
}

/** One transaction: a cancellation comes before it or too late. */
async function begin(
  { db, config, renderers, now = () => new Date() }: MailTaskDeps,
  job: ClaimedJob,
): Promise<{ mail: MailRow; message: MailMessage } | TaskResult> {
  try {
    return await db.transaction(async (trx) => {
      const found = await findMailToSend(trx, job, now())
      if (found === undefined || 'runAgainAt' in found) return found
      const { mail, greetedAs } = found
      const waitsUntil = await waitForAllowance(trx, mail)
      if (waitsUntil) {
        await noteWaitsForAllowance(trx, mail, waitsUntil)
        return { runAgainAt: waitsUntil }
      }
      const site = { publicOrigin: config.publicOrigin, now: now(), greetedAs }
      const content = await renderers[mail.kind](trx, mail, site)
      if (!content) {
        await cancelMail(trx, mail)
        return undefined
      }
      if (await mailboxIsFull(trx, mail)) {
        await giveUpMail(trx, mail, mailboxFull)
        return undefined
      }
      const host = await findHostOfMail(trx, mail)
      const to = { name: greetedAs, address: mail.toAddress }
      const message = composeMail({ ...content, to, ...(host && { host }) }, config.publicOrigin)
      return { mail: await beginMail(trx, mail, message.subject), message }
    })
  } catch (error) {
    if (isLastAttempt(job)) await giveUpUnwritten(db, job)
    throw error
  }
}

const isLastAttempt = ({ attempts, maxAttempts: most }: ClaimedJob) => attempts >= most

async function giveUpUnwritten(db: Knex, job: ClaimedJob): Promise<void> {
  await db.transaction(async (trx) => {
    const found = await findMailToSend(trx, job, new Date())
    if (found && 'mail' in found) await giveUpMail(trx, found.mail, 'it could not be written')
  })
}

async function noteFailure(
  { db, log, now = () => new Date() }: MailTaskDeps,
  job: ClaimedJob,
  run: JobRun,
  mail: MailRow,
  error: unknown,
): Promise<undefined> {
  const reason = error instanceof Error ? error.message : 'it was not sent'
  const outcome = error instanceof MailNotSent ? error.outcome : 'later'
  const about = { mail: mail.id, kind: mail.kind, reason }
  if (outcome === 'unknown') {
    await retryUntilWritten(() => noteUnknown(db, mail, reason))
    log.error(about, 'it is unknown whether a mail arrived; it is not sent again unasked')
    return undefined
  }
  if (outcome === 'never') {
    await retryUntilWritten(() => noteRefused(db, mail, reason))
    log.warn(about, 'a mail was refused for good')
    return undefined
  }
  if (run.signal.aborted) {
    await retryUntilWritten(() => noteNotTaken(db, mail, reason, now()))
    throw error
  }
  if (isLastAttempt(job)) {
    await retryUntilWritten(() => noteRefused(db, mail, reason))
    throw error
  }
  const waitMs = backoffMs(job.attempts, () => 1)
  await retryUntilWritten(() => noteNotTaken(db, mail, reason, new Date(now().getTime() + waitMs)))
  throw new RetryLater(reason, waitMs)
}

const insistTimes = 5
const insistMs = 1_000

/** Only here is the outcome known: the database is asked again. */
async function retryUntilWritten(write: () => Promise<void>): Promise<void> {
  for (let time = 1; ; time += 1) {
    try {
      return await write()
    } catch (error) {
      if (time === insistTimes) throw error
      await new Promise((resolve) => setTimeout(resolve, insistMs))
    }
  }
}

/** The same for every attempt: a mail server or program can tell a duplicate. */
function messageId({ key, createdAt }: MailRow): string {
  return createHash('sha256').update(`${createdAt.toISOString()} ${key}`).digest('hex').slice(0, 40)
}

const lookMs = 60_000
const dayMs = 86_400_000

/** Gives up abandoned mails, and purges, until stopped. */
export function tendMails(db: Knex, log: Logger): () => void {
  const report = (what: string) => (error: unknown) => log.warn({ err: error }, what)
  const look = () =>
    void giveUpAbandonedMails(db).then((count) => {
      if (count > 0) log.error({ count }, 'mails were given up that no worker took')
    }, report('cannot look for abandoned mails'))
  const purge = () => void purgeMails(db).catch(report('cannot remove old mails'))
  const timers = [setInterval(look, lookMs), setInterval(purge, dayMs)]
  return () => timers.forEach(clearInterval)
}
