import { beforeEach, describe, expect, it } from 'vitest'
import type { MailKind, MailState } from '#shared/mail/mail.ts'
import { createRouteRig } from '../../testing/route-rig.ts'
import { setOrganizerStage } from '../../testing/organizer-stage.ts'
import { queueMails } from '../../mail/mail-store.ts'

const stage = await setOrganizerStage()
const to = { name: 'Bea Moss', address: 'bea@example.com' }

let eventId: number
let applicationId: number
let round = 0

beforeEach(async () => {
  round += 1
  eventId = (await stage.publish()).id
  applicationId = await stage.applicant(eventId)
  await stage.db('mails').del()
})

/** A mail as the worker left it. */
async function mailIn(
  state: MailState,
  { kind = 'decision', ...columns }: { kind?: MailKind; applicationId?: number | null; [column: string]: unknown } = {},
): Promise<number> {
  const key = `${kind}:${applicationId}:${round}:${Math.random()}`
  const payload = { applicationId, decisionNumber: 1, knownStatus: 'pending', toStatus: 'approved' }
  await queueMails(stage.db, [{ kind, key, to, eventId, applicationId, payload, sendAt: new Date('2099-01-01') }])
  await stage
    .db('mails')
    .where({ key })
    .update({ state, ...columns })
  return (await stage.db('mails').where({ key }).first('id'))!.id
}
const list = async (query: Record<string, string> = {}) =>
  await stage.run('listEventMails', { as: stage.olivia, params: { id: eventId }, query })
const retry = async (id: number) => await stage.run('retryMail', { as: stage.olivia, params: { id } })

describe('the mail log of an event', () => {
  it('tells the newest first to whom, what about and where each mail is, and counts by state', async () => {
    const sentAt = new Date('2026-11-21T10:00:00Z')
    const held = await mailIn('held')
    const sent = await mailIn('sent', { kind: 'acknowledgement', subject: 'We have it', sentAt })
    const failed = await mailIn('failed', { lastError: 'the mail server refused it: 550' })
    const { status, body, text } = await list()
    expect(status).toBe(200)
    expect(text).not.toContain(to.address)
    expect(body.mails.map(({ id }) => id)).toEqual([failed, sent, held])
    expect(body.mails[2]).toEqual({
      id: held,
      applicationId,
      kind: 'decision',
      decision: 'approved',
      recipient: 'Bea Moss',
      subject: null,
      state: 'held',
      sendAt: '2099-01-01T00:00:00.000Z',
      sentAt: null,
      reason: null,
      createdAt: expect.any(String),
    })
    expect(body.mails[1]).toMatchObject({ decision: null, subject: 'We have it', sentAt: sentAt.toISOString() })
    expect(body.mails[0]!.reason).toBe('The mail server says that this address takes no mail.')
    expect(body.counts).toEqual({ held: 1, queued: 0, sending: 0, sent: 1, failed: 1, cancelled: 0 })
    expect(body.at).toBe(stage.clock.now.toISOString())
  })

  it('tells an approval withdrawn from a rejection', async () => {
    await mailIn('held', { payload: JSON.stringify({ knownStatus: 'pending', toStatus: 'rejected' }) })
    await mailIn('held', { payload: JSON.stringify({ knownStatus: 'approved', toStatus: 'rejected' }) })
    expect((await list()).body.mails.map(({ decision }) => decision)).toEqual(['revoked', 'rejected'])
  })

  it('comes in pages, and for one applicant alone; the counts are of all of them', async () => {
    const bo = await stage.applicant(eventId, { firstName: 'Bo', email: 'bo@example.com' })
    await stage.db('mails').del()
    const ids: number[] = []
    for (let made = 0; made < 3; made++) ids.unshift(await mailIn('sent'))
    const bos = await mailIn('failed', { applicationId: bo })
    const first = (await list({ limit: '2' })).body
    expect(first.mails.map(({ id }) => id)).toEqual([bos, ids[0]])
    expect(first.counts).toMatchObject({ sent: 3, failed: 1 })
    const rest = (await list({ limit: '2', before: String(ids[0]) })).body
    expect(rest.mails.map(({ id }) => id)).toEqual([ids[1], ids[2]])
    const hers = (await list({ applicationId: String(bo) })).body
    expect(hers.mails.map(({ id }) => id)).toEqual([bos])
    expect(hers.counts).toMatchObject({ sent: 0, failed: 1 })
  })

  it('holds what the decisions of the event caused, and nothing of another event', async () => {
    const elsewhere = await stage.publish({ name: 'Another evening' })
    await stage.applicant(elsewhere.id)
    const others = (await stage.run('listEventMails', { as: stage.olivia, params: { id: elsewhere.id } })).body
    expect(others.mails.map(({ kind }) => kind)).toContain('acknowledgement')
    const before = (await list()).body
    expect([before.mails, Object.values(before.counts)]).toEqual([[], [0, 0, 0, 0, 0, 0]])
    await stage.decide(applicationId, { status: 'approved' })
    const [mail, ...rest] = (await list()).body.mails
    expect(rest).toEqual([])
    expect(mail).toMatchObject({ kind: 'decision', decision: 'approved', state: 'held', recipient: 'Bea Moss' })
    expect(Date.parse(mail!.sendAt) - stage.clock.now.getTime()).toBe(60_000)
    await stage.decide(applicationId, { status: 'rejected' })
    expect((await list()).body.mails.map(({ decision, state }) => [decision, state])).toEqual([
      ['rejected', 'held'],
      ['approved', 'cancelled'],
    ])
  })

  it.each([{ limit: '0' }, { limit: '101' }, { before: 'x' }, { applicationId: '-1' }, { page: '2' }])(
    'refuses %o',
    async (query) => {
      expect((await list(query as unknown as Record<string, string>)).status).toBe(400)
    },
  )

  it.each([
    ['demo', { smtpUrl: null, demoMode: true }],
    ['none', { smtpUrl: null, demoMode: false }],
    ['smtp', { smtpUrl: 'smtp://127.0.0.1:25' }],
  ] as const)('says that delivery is %s', async (delivery, config) => {
    const rig = createRouteRig(stage.db, config)
    const answer = await rig.run('listEventMails', { as: stage.olivia, params: { id: eventId } })
    expect(answer.body.delivery).toBe(delivery)
  })
})

describe('sending a failed mail again', () => {
  it('queues it once, with a job that is due at once, and the other devices hear of it', async () => {
    const id = await mailIn('failed', { lastError: 'the mail server refused it: 550', attempts: 1 })
    const key = 'b4c2a3de-7b1c-4b53-9a40-0d3f5f0a1c12'
    const answer = await stage.run('retryMail', { as: stage.olivia, params: { id }, key })
    expect([answer.status, answer.body.state, answer.body.reason]).toEqual([200, 'queued', null])
    const again = await stage.run('retryMail', { as: stage.olivia, params: { id }, key })
    expect([again.status, again.text]).toEqual([200, answer.text])
    expect((await list()).body.mails[0]).toMatchObject({ id, state: 'queued' })
    const jobs = await stage
      .db('jobs')
      .where({ kind: 'send-mail', state: 'waiting' })
      .andWhere('runAt', '<', '2098-01-01')
    expect(jobs.filter(({ payload }) => payload['mailId'] === id)).toHaveLength(1)
    expect((await stage.feed(`org:${stage.olivia.userId}`)).at(-1)).toMatchObject({
      collection: 'applications',
      docId: String(applicationId),
    })
    expect(answer.version).toBeGreaterThan(0)
  })

  it('of nobody in particular tells the event anew', async () => {
    const id = await mailIn('failed', { kind: 'new-applications', applicationId: null })
    const answer = await retry(id)
    expect([answer.status, answer.body.applicationId]).toEqual([200, null])
    expect((await stage.feed(`org:${stage.olivia.userId}`)).at(-1)).toMatchObject({ collection: 'events' })
  })

  it.each([
    ['held', 'This email has not left yet.'],
    ['queued', 'This email is on its way already.'],
    ['sending', 'This email is on its way already.'],
    ['sent', 'This email was sent already.'],
    ['cancelled', 'This email was cancelled and will not be sent.'],
  ] as const)('is refused for one that is %s, and says so', async (state, message) => {
    const id = await mailIn(state)
    const answer = await retry(id)
    expect([answer.status, answer.body.code, answer.body.message]).toEqual([409, 'not_allowed_now', message])
    expect(answer.body.current).toMatchObject({ id, state })
    expect((await list()).body.mails[0]).toMatchObject({ id, state })
  })

  it('is refused for one that belongs to no event like for a missing mail', async () => {
    const own = await mailIn('failed', { kind: 'password-reset', eventId: null, applicationId: null })
    expect(await retry(own)).toMatchObject({ status: 404, body: { message: 'Email not found' } })
  })
})
