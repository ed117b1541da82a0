import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cancellation, createMailDesk, deskAddress } from '../testing/mail/mail-desk.ts'
import { readMail, startSmtpService, type SmtpService, type SmtpStep } from '../testing/mail/smtp-service.ts'
import { endLeases } from '../testing/jobs/queued-jobs.ts'
import { setTestDatabase } from '../testing/test-database.ts'
import { giveUpAbandonedMails, giveUpStaleMails, purgeMails } from './mail-delivery.ts'
import { cancelMails, type NewMail, queueMails, retryMail } from './mail-store.ts'
import { createSmtpTransport } from './smtp-transport.ts'
import { MailNotSent, type MailTransport } from './mail-transport.ts'

let service: SmtpService
const { db, connectionString } = await setTestDatabase()
const desk = createMailDesk(connectionString, () => service)
beforeEach(async () => {
  service = await startSmtpService()
  await db('mails').del()
  await db('jobs').del()
})
afterEach(async () => {
  await desk.close()
  await service.close()
})

const queue = async (...mails: NewMail[]) => await db.transaction((trx) => queueMails(trx, mails))
const row = async (key = 'a') => (await db('mails').where({ key }).first())!
const expectState = async (state: string, key = 'a') =>
  await expect.poll(async () => (await row(key)).state, { interval: 20 }).toBe(state)
/** A desk that gives up soon on purpose would give up on a busy machine, too. */
async function reopenWithPatience(): Promise<void> {
  await desk.close()
  desk.open()
}
const messageIds = () => service.received.map((received) => readMail(received).headers['message-id'])

describe('a queued mail', () => {
  it('is held, then sent once and written down, with a text, an HTML part and its file', async () => {
    expect(await queue(cancellation('a', { sendAt: new Date(Date.now() + 60_000) }))).toBe(1)
    expect(await queue(cancellation('a'))).toBe(0)
    desk.open()
    expect((await row()).state).toBe('held')
    await desk.hurry()
    await desk.settled()
    expect(await row()).toMatchObject({
      state: 'sent',
      subject: 'Cancelled: Harbor Mixer',
      attempts: 1,
      lastError: null,
      sentAt: expect.any(Date),
    })
    expect(service.received).toHaveLength(1)
    expect([service.received[0]?.from, service.received[0]?.to]).toEqual([deskAddress.address, ['bea@example.com']])
    const { headers, whole } = readMail(service.received[0]!)
    expect(headers).toMatchObject({
      to: 'Bea Moss <bea@example.com>',
      subject: 'Cancelled: Harbor Mixer',
      'auto-submitted': 'auto-generated',
      'message-id': expect.stringMatching(/^<[0-9a-f]{40}@beaconry\.example>$/),
    })
    expect(whole.map((part) => part.headers['content-type']?.split(';')[0])).toEqual([
      'text/plain',
      'text/html',
      'text/calendar',
    ])
    expect(await db('jobs').first()).toMatchObject({ state: 'done' })
  })

  it('can be cancelled until it is begun, and hands back its payload once', async () => {
    await queue(
      cancellation('a', { sendAt: new Date(Date.now() + 60_000) }),
      cancellation('b', { sendAt: new Date(Date.now() + 60_000) }),
    )
    const cancelled = await db.transaction((trx) => cancelMails(trx, ['a', 'unknown']))
    expect(cancelled.get('a')).toMatchObject({ edition: 1 })
    expect((await db.transaction((trx) => cancelMails(trx, ['a']))).size).toBe(0)
    desk.open()
    await desk.hurry()
    await desk.settled()
    expect(await desk.states()).toEqual({ a: 'cancelled', b: 'sent' })
    expect(service.received).toHaveLength(1)
    expect((await db.transaction((trx) => cancelMails(trx, ['b']))).size).toBe(0)
  })

  it('waits where nobody takes it, and is not sent unasked after more than a week', async () => {
    await queue(cancellation('a'), cancellation('old'))
    await db('mails')
      .where({ key: 'old' })
      .update({ sendAt: new Date(Date.now() - 8 * 86_400_000) })
    const nobody: MailTransport = {
      isSetUp: false,
      send: async () => Promise.reject(new MailNotSent('nobody', 'later')),
      close: () => undefined,
    }
    const idle = desk.open({ transport: nobody })
    await idle.stop()
    expect(await desk.states()).toEqual({ a: 'queued', old: 'queued' })
    desk.open()
    await desk.settled()
    expect(await desk.states()).toEqual({ a: 'sent', old: 'failed' })
    expect((await row('old')).lastError).toBe('it waited for more than a week')
  })
})

describe('a mail server that', () => {
  it('is away gets the mail once when it is back, or over another connection after it hung up', async () => {
    const port = Number(new URL(service.url).port)
    await service.close()
    await queue(cancellation('a'))
    desk.open()
    await expect.poll(async () => (await row()).lastError).toMatch(/ESOCKET|ECONN/)
    expect((await row()).state).toBe('queued')
    expect((await row()).sendAt.getTime()).toBeGreaterThan(Date.now() + 1_000)
    service = await startSmtpService(port)
    await desk.hurry()
    await desk.settled()
    expect(service.received).toHaveLength(1)
    expect(await row()).toMatchObject({ state: 'sent', attempts: 2, lastError: null })

    service.hangUp()
    await queue(cancellation('b'))
    await desk.settled()
    expect(await row('b')).toMatchObject({ state: 'sent', attempts: 1 })
    expect(service.received).toHaveLength(2)
  })

  it.each([
    ['says later to the recipient', () => service.refused.set('bea@example.com', 451), 451],
    ['says later to the whole mail', () => service.refusedWhole.push(452), 452],
  ])('%s is asked again', async (_what, refuse, status) => {
    refuse()
    await queue(cancellation('a'))
    desk.open()
    await expect.poll(async () => (await row()).lastError).toContain(String(status))
    expect(await row()).toMatchObject({ state: 'queued', handedOverAt: null })
    service.refused.clear()
    await desk.hurry()
    await desk.settled()
    expect(service.received).toHaveLength(1)
  })

  it.each([
    ['refuses the recipient', () => service.refused.set('bea@example.com', 550), 550],
    ['refuses the whole mail', () => service.refusedWhole.push(554), 554],
  ])('%s for good is not asked again, but by a person', async (_what, refuse, status) => {
    refuse()
    await queue(cancellation('a'))
    desk.open()
    await desk.settled()
    const failed = await row()
    expect(failed).toMatchObject({ state: 'failed', lastError: `the mail server refused it: ${status}` })
    expect(await db('jobs').first()).toMatchObject({ state: 'done' })
    service.refused.clear()
    expect(await db.transaction((trx) => retryMail(trx, failed.id, new Date()))).toBe(true)
    expect(await db.transaction((trx) => retryMail(trx, failed.id, new Date()))).toBe(false)
    await desk.settled()
    expect(await row()).toMatchObject({ state: 'sent', retries: 1, lastError: null })
    expect(service.received).toHaveLength(1)
  })

  it('cannot be told an address in any way gets nothing, once', async () => {
    await queue(cancellation('a', { to: { name: 'Bea Moss', address: 'bea@example.com> <bo@example.com' } }))
    desk.open()
    await desk.settled()
    expect(await row()).toMatchObject({ state: 'failed', attempts: 1 })
    expect(service.received).toEqual([])
  })

  it('hangs before it has the mail is left and asked again', async () => {
    const stall = service.stallAt('rcpt')
    await queue(cancellation('a'))
    desk.open({ offerMs: 300 })
    await expect.poll(async () => (await row()).lastError).toContain('ETIMEDOUT')
    expect(await row()).toMatchObject({ state: 'queued', handedOverAt: null })
    stall.release()
    await reopenWithPatience()
    await desk.hurry()
    await desk.settled()
    expect(service.received).toHaveLength(1)
  })

  it('hangs or breaks once it has the mail is not asked again: a person does, by the same name', async () => {
    const stall = service.stallAt('answer')
    await queue(cancellation('slow'))
    desk.open({ answerMs: 500 })
    await desk.settled()
    stall.release()
    expect(await row('slow')).toMatchObject({
      state: 'failed',
      lastError: 'interrupted before the mail server answered: ETIMEDOUT',
    })
    const broken = service.stallAt('data')
    await queue(cancellation('broken'))
    await broken.reached
    await expectState('sending', 'broken')
    await expect.poll(async () => (await row('broken')).handedOverAt).not.toBeNull()
    service.hangUp()
    await expectState('failed', 'broken')
    broken.release()
    expect((await row('broken')).lastError).toContain('interrupted')
    await desk.settled()
    expect(await db('jobs').whereNot({ state: 'done' })).toEqual([])

    const [first] = messageIds()
    await reopenWithPatience()
    await db.transaction(async (trx) => retryMail(trx, (await row('slow')).id, new Date()))
    await expectState('sent', 'slow')
    expect(messageIds().filter((id) => id === first)).toHaveLength(2)
  })

  it('cannot be reached in all attempts: the mail fails, and the job with it', async () => {
    await service.close()
    await queue(cancellation('a'))
    await db('jobs').update({ maxAttempts: 1 })
    desk.open()
    await desk.settled()
    expect(await row()).toMatchObject({ state: 'failed', handedOverAt: null })
    expect(await db('jobs').first()).toMatchObject({ state: 'dead' })
    service = await startSmtpService(Number(new URL(service.url).port))
    // As an operator does who looks at dead jobs.
    await db('jobs').update({ state: 'waiting', attempts: 0, runAt: new Date(0) })
    await desk.hurry()
    await expectState('sent')
    expect(service.received).toHaveLength(1)
  })
})

describe('a sender that was overtaken', () => {
  /** A sender is held up at a step for so long that its job is somebody else's. */
  async function overtakenAt(step: SmtpStep) {
    const stall = service.stallAt(step)
    await queue(cancellation('a'))
    desk.open({ leaseMs: 600_000, pollMs: 60_000 })
    await stall.reached
    await endLeases(db)
    return stall
  }

  it('does not send: the mail is somebody else’s', async () => {
    const stall = await overtakenAt('mail')
    const other = await startSmtpService()
    desk.open({ transport: createSmtpTransport(other.url, deskAddress) })
    await expectState('sent')
    stall.release()
    await expect.poll(async () => (await db('jobs').first())!.state).toBe('done')
    await desk.close()
    expect([service.received.length, other.received.length]).toEqual([0, 1])
    expect(await row()).toMatchObject({ state: 'sent', attempts: 2 })
    await other.close()
  })

  it('after the last piece is not repeated, and its answer still counts', async () => {
    const stall = await overtakenAt('answer')
    desk.open()
    await expectState('failed')
    expect((await row()).lastError).toBe('the server stopped while it handed the mail over; it may have arrived')
    stall.release()
    await expectState('sent')
    expect((await row()).lastError).toBeNull()
    expect(service.received).toHaveLength(1)
  })

  it('by a person’s retry leaves that one alone', async () => {
    const stall = await overtakenAt('answer')
    desk.open()
    await expectState('failed')
    await db.transaction(async (trx) => retryMail(trx, (await row()).id, new Date()))
    await expect.poll(() => service.received).toHaveLength(2)
    stall.release()
    await expectState('sent')
    expect(new Set(messageIds()).size).toBe(1)
    expect(await row()).toMatchObject({ retries: 1, attempts: 2 })
  })
})

describe('what nobody works on', () => {
  it('is given up after ten minutes, as what it is; what waits or runs is left alone', async () => {
    await queue(cancellation('waits'), cancellation('buried'), cancellation('broke-off'), cancellation('fresh'))
    await db('jobs').whereIn('key', ['buried', 'broke-off', 'fresh']).update({ state: 'dead' })
    const long = new Date(Date.now() - 11 * 60_000)
    await db('mails').whereNot({ key: 'fresh' }).update({ updatedAt: long })
    await db('mails').where({ key: 'broke-off' }).update({ state: 'sending', handedOverAt: long })
    expect(await giveUpAbandonedMails(db)).toBe(2)
    expect(await desk.states()).toEqual({ waits: 'queued', buried: 'failed', 'broke-off': 'failed', fresh: 'queued' })
    expect((await row('buried')).lastError).toBe('the attempts to send it were given up')
    expect((await row('broke-off')).lastError).toContain('may have arrived')
  })

  it('for want of a mail server ends after a week, with its job', async () => {
    await queue(cancellation('old'), cancellation('waits'))
    await db('mails')
      .where({ key: 'old' })
      .update({ sendAt: new Date(Date.now() - 9 * 86_400_000) })
    expect(await giveUpStaleMails(db, new Date())).toBe(1)
    expect(await desk.states()).toEqual({ old: 'failed', waits: 'queued' })
    expect(await db('jobs').pluck('key')).toEqual(['waits'])
  })

  it.each(['sent', 'failed', 'cancelled'] as const)('is removed 90 days after it was %s', async (state) => {
    await queue(cancellation('old'), cancellation('waits'), cancellation('fresh'))
    await db('mails').whereIn('key', ['old', 'fresh']).update({ state })
    await db('mails')
      .whereNot({ key: 'fresh' })
      .update({ updatedAt: new Date(Date.now() - 91 * 86_400_000) })
    expect(await purgeMails(db, new Date())).toBe(1)
    expect(await desk.states()).toEqual({ waits: 'queued', fresh: state })
  })
})
