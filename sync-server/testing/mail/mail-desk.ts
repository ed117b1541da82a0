import type { Knex } from 'knex'
import { pino } from 'pino'
import { afterAll, afterEach, beforeEach } from 'vitest'
import { createKnex } from '../../db/knex-config.ts'
import { startWorker, type Worker, type WorkerOptions } from '../../jobs/worker.ts'
import { mailRenderers } from '../../app/nouns.ts'
import { createMailTasks } from '../../mail/mail-tasks.ts'
import { sendMailKind, type NewMail } from '../../mail/mail-store.ts'
import { createSmtpTransport } from '../../mail/smtp-transport.ts'
import type { MailTransport } from '../../mail/mail-transport.ts'
import { jobsSettled } from '../jobs/job-stage.ts'
import { makeJobsDue } from '../jobs/queued-jobs.ts'
import { eventBody } from '../route-rig.ts'
import type { OrganizerStage } from '../organizer-stage.ts'
import { startSmtpService, type SmtpService } from './smtp-service.ts'

/** What mails say who they are from, in tests. */
export const deskAddress = { name: 'Beaconry', address: 'hello@beaconry.example' }

interface DeskOptions extends WorkerOptions {
  readonly offerMs?: number
  readonly answerMs?: number
  readonly transport?: MailTransport
}

export const deskOrigin = 'https://beaconry.example'

/** Workers that send what is queued in a database to a mail server on loopback; `service` is asked for when a worker starts. */
export function createMailDesk(connectionString: string, service: () => Pick<SmtpService, 'url'>) {
  const opened: { worker: Worker; transport: MailTransport; db: Knex }[] = []
  let own: Knex | undefined
  const database = () => (own ??= createKnex(connectionString, { poolSize: 2 }))

  return {
    /** Starts one more, with connections of its own. */
    open: ({ offerMs = 5_000, answerMs = 5_000, transport: given, ...options }: DeskOptions = {}) => {
      const db = createKnex(connectionString)
      const transport =
        given ?? createSmtpTransport(service().url, deskAddress, { connectMs: 2_000, offerMs, answerMs })
      const log = pino({ level: 'silent' })
      const config = { publicOrigin: deskOrigin }
      const tasks = createMailTasks({ db, config, log, transport, renderers: mailRenderers })
      const worker = startWorker(db, tasks, log, { pollMs: 50, ...options })
      opened.push({ worker, transport, db })
      return worker
    },
    /** Lets holds and waits end, once: what is queued now is due. */
    hurry: async () => {
      await makeJobsDue(database())
      for (const { worker } of opened) worker.wake()
    },
    /** Waits until no mail is due and none is under way. */
    settled: () => jobsSettled(database(), [sendMailKind]),
    /** The state of every mail by its key. */
    states: async () =>
      Object.fromEntries((await database()('mails').orderBy('id')).map(({ key, state }) => [key, state])),
    close: async () => {
      for (const { worker, transport, db } of opened.splice(0)) {
        const stopped = worker.stop()
        transport.close()
        await stopped
        await db.destroy()
      }
      await own?.destroy()
      own = undefined
    },
  }
}

/**
 * Sets a desk and its mail server beside the stage of the calling file; each test finds it empty, and after it nothing is
 * queued any more.
 */
export async function setOrganizerDesk(stage: OrganizerStage) {
  const service = await startSmtpService()
  const desk = createMailDesk(stage.connectionString, () => service)
  afterAll(() => service.close())
  beforeEach(() => {
    service.received.length = 0
  })
  afterEach(async () => {
    await desk.close()
    await stage.db('mails').del()
    await stage.db('jobs').del()
  })
  return { ...desk, service }
}

/** A mail that needs no event and no application: an event of this name is called off. */
export function cancellation(key: string, changes: Partial<NewMail> = {}, name = 'Harbor Mixer'): NewMail {
  const { beaconIncentives: _, ...when } = eventBody({ name })
  const event = { ...when, id: 7, timeZone: 'America/Chicago' }
  const payload = { event, edition: 1, knownStatus: 'approved' }
  return { kind: 'event-cancelled', key, to: { name: 'Bea Moss', address: 'bea@example.com' }, payload, ...changes }
}
