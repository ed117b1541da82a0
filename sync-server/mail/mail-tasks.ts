import { createHash } from 'node:crypto'
import type { Knex } from 'knex'
import type { Logger } from 'pino'
import type { MailState } from '#shared/mail/mail.ts'
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
  noteAttempt,
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
 * The mail server lacks the last piece before `handed_over_at`, so a killed attempt is repeated. After it only a person
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
          const note = { handedOverAt: deps.db.fn.now() }
          if (!(await run.stillHeld()) || !(await noteAttempt(deps.db, mail, ['sending'], note))) throw new Overtaken()
        },
      })
    } catch (error) {
      return await noteFailure(deps, job, run, mail, error)
    }
    const sent = { state: 'sent', sentAt: deps.db.fn.now(), lastError: null } as const
    await retryUntilWritten(() => noteAttempt(deps.db, mail, notOvertaken, sent))
    return undefined
  }
}

class Overtaken extends Error {
  constructor() {
    super('interrupted: the mail no longer belongs to this sender')
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

const isLastAttempt = ({ attempts, maxAttempts }: ClaimedJob) => attempts >= maxAttempts

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
  const note = (states: readonly MailState[], change: Parameters<typeof noteAttempt>[3]) =>
    retryUntilWritten(() => noteAttempt(db, mail, states, { lastError: reason, ...change }))
  if (outcome === 'unknown') {
    await note(['sending'], { state: 'failed' })
    log.error(about, 'it is unknown whether a mail arrived; it is not sent again unasked')
    return undefined
  }
  const isStopped = run.signal.aborted
  if (outcome === 'never' || (isLastAttempt(job) && !isStopped)) {
    await note(notOvertaken, { state: 'failed', handedOverAt: null })
    if (outcome === 'later') throw error
    log.warn(about, 'a mail was refused for good')
    return undefined
  }
  const waitMs = isStopped ? 0 : backoffMs(job.attempts, () => 1)
  const sendAt = new Date(now().getTime() + waitMs)
  await note(notOvertaken, { state: 'queued', handedOverAt: null, sendAt })
  throw isStopped ? error : new RetryLater(reason, waitMs)
}

/** Counts even when the mail was given up as unknown by then. */
const notOvertaken = ['sending', 'failed'] satisfies MailState[]

const maxWriteAttempts = 5
const insistMs = 1_000

/** Only here is the outcome known: the database is asked again. */
async function retryUntilWritten(write: () => Promise<unknown>): Promise<void> {
  for (let time = 1; ; time += 1) {
    try {
      await write()
      return
    } catch (error) {
      if (time === maxWriteAttempts) throw error
      await new Promise((resolve) => setTimeout(resolve, insistMs))
    }
  }
}

/** The same for every attempt: a mail server or program can tell a duplicate. */
function messageId({ key, createdAt }: MailRow): string {
  return createHash('sha256').update(`${createdAt.toISOString()} ${key}`).digest('hex').slice(0, 40)
}

const lookMs = 60_000

/** Gives up abandoned mails until stopped. */
export function startAbandonedMailCheck(db: Knex, log: Logger): () => void {
  const look = () =>
    void giveUpAbandonedMails(db).then(
      (count) => count > 0 && log.error({ count }, 'mails were given up that no worker took'),
      (error: unknown) => log.warn({ err: error }, 'cannot look for abandoned mails'),
    )
  const timer = setInterval(look, lookMs)
  return () => clearInterval(timer)
}
