import { afterAll, expect, it } from 'vitest'
import { cancellation } from '../testing/mail/mail-desk.ts'
import { startMailingServer } from '../testing/mail/mailing-server.ts'
import { readMail, type SmtpStep } from '../testing/mail/smtp-service.ts'
import { endLeases } from '../testing/jobs/queued-jobs.ts'
import { fullSize, sized } from '../testing/proof-size.ts'
import { queueMails, retryMail } from './mail-store.ts'

const mailing = await startMailingServer()
afterAll(() => mailing.close())

const queue = async (key: string) =>
  await mailing.database.db.transaction((trx) => queueMails(trx, [cancellation(key, {}, key)]))
const row = async (key: string) => (await mailing.database.db('mails').where({ key }).first())!
const expectState = async (key: string, state: string) =>
  await expect.poll(async () => (await row(key)).state).toBe(state)
const arrivals = (key: string) =>
  mailing.service.received
    .map((mail) => readMail(mail).headers)
    .filter(({ subject }) => subject === `Cancelled: ${key}`)

/** What a minute and another server do. */
async function restart(): Promise<void> {
  await endLeases(mailing.database.db)
  await mailing.server.start()
}

it.each<SmtpStep>(sized(['greeting', 'mail', 'rcpt'], ['rcpt']))(
  'a server that is killed while the mail server is at its %s loses nothing: the mail arrives once',
  async (step) => {
    const stall = mailing.service.stallAt(step)
    const key = `killed at ${step}`
    // A connection that is kept has been greeted already.
    mailing.service.hangUp()
    await queue(key)
    await stall.reached
    expect(await row(key)).toMatchObject({ state: 'sending', handedOverAt: null })
    await mailing.server.kill()
    stall.release()
    await restart()
    await expectState(key, 'sent')
    expect(arrivals(key)).toHaveLength(1)
  },
  60_000,
)

it.each<SmtpStep>(sized(['data', 'answer'], ['answer']))(
  'a server that is killed before the mail server has said whether it took the mail (%s) leaves that to a person',
  async (step) => {
    const stall = mailing.service.stallAt(step)
    const key = `killed at ${step}`
    await queue(key)
    await stall.reached
    await expect.poll(async () => (await row(key)).handedOverAt).not.toBeNull()
    await mailing.server.kill()
    stall.release()
    await restart()
    await expectState(key, 'failed')
    expect((await row(key)).lastError).toContain('it may have arrived')
    // Killed beside its last piece, it may have sent that or not.
    if (step === 'answer') await expect.poll(() => arrivals(key)).toHaveLength(1)
    expect(await mailing.database.db('jobs').where({ key })).toMatchObject([{ state: 'done' }])

    await mailing.database.db.transaction(async (trx) => retryMail(trx, (await row(key)).id, new Date()))
    await expectState(key, 'sent')
    expect(new Set(arrivals(key).map((headers) => headers['message-id'])).size).toBe(1)
    expect(step === 'answer' ? [2] : [1, 2]).toContain(arrivals(key).length)
  },
  60_000,
)

/** Kills the server while it waits for the mail's row, and ends what it had asked of the database. */
async function killWhileItNotes(key: string, come: () => void): Promise<void> {
  const trx = await mailing.database.db.transaction()
  await trx('mails').where({ key }).forUpdate()
  come()
  const asking = `from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query ~ '^update "mails"'`
  await expect.poll(async () => (await mailing.database.db.raw(`select 1 ${asking}`)).rows).toHaveLength(1)
  await mailing.server.kill()
  await mailing.database.db.raw(`select pg_terminate_backend(pid) ${asking}`)
  await expect.poll(async () => (await mailing.database.db.raw(`select 1 ${asking}`)).rows).toEqual([])
  await trx.rollback()
}

if (fullSize) {
  it.each<['rcpt' | 'answer', string, object]>([
    ['rcpt', 'the last piece leaves has not sent it: the mail arrives once', { state: 'sent' }],
    [
      'answer',
      'the mail was taken does not send it again',
      { state: 'failed', lastError: expect.stringContaining('it may have arrived') },
    ],
  ])(
    'a server that is killed before it noted (%s) that %s',
    async (step, _, expected) => {
      const key = `killed before it notes ${step}`
      const stall = mailing.service.stallAt(step)
      await queue(key)
      await stall.reached
      await killWhileItNotes(key, stall.release)
      await restart()
      await expect.poll(() => row(key)).toMatchObject(expected)
      expect(arrivals(key)).toHaveLength(1)
    },
    60_000,
  )
}
