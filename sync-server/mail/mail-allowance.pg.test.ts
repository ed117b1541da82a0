import { describe, expect, it } from 'vitest'
import { setOrganizerDesk } from '../testing/mail/mail-desk.ts'
import { setOrganizerStage } from '../testing/organizer-stage.ts'
import type { MailRow } from '../db/rows/message-rows.ts'
import { mailsPerDay } from './mail-allowance.ts'

const stage = await setOrganizerStage()
const desk = await setOrganizerDesk(stage)

const hourMs = 3_600_000
const inOneHour = [expect.closeTo(Date.now() + hourMs, -5)]

/** What has left in the last hours in an organizer's name. */
async function sent(count: number, hoursAgo: number, changes: Partial<MailRow> = {}): Promise<void> {
  const at = new Date(Date.now() - hoursAgo * hourMs)
  await stage.db('mails').insert(
    Array.from({ length: count }, (_, index) => ({
      kind: 'acknowledgement' as const,
      key: `earlier:${hoursAgo}:${index}:${JSON.stringify(changes)}`,
      organizerId: stage.olivia.userId,
      toName: '',
      toAddress: 'somebody@example.com',
      payload: {},
      state: 'sent' as const,
      sendAt: at,
      handedOverAt: at,
      sentAt: at,
      ...changes,
    })),
  )
}
const confirm = async (at: Date | null) =>
  await stage.db('users').where({ id: stage.olivia.userId }).update({ emailVerifiedAt: at })
const states = async (kind: MailRow['kind']) =>
  (await stage.db('mails').where({ kind }).whereNotNull('applicationId').orderBy('id')).map(({ state }) => state)

describe('mails to the applicants of one organizer', () => {
  it.each([
    ['confirmed', new Date(), mailsPerDay.confirmed],
    ['not confirmed', null, mailsPerDay.unconfirmed],
  ])('above the number of a day wait, and go out later (email address %s)', async (_, verifiedAt, max) => {
    await confirm(verifiedAt)
    const { id } = await stage.publish()
    await sent(max - 2, 20)
    for (const name of ['ana', 'ben', 'bo', 'cy']) await stage.applicant(id, { email: `${name}@example.com` })
    desk.open()
    await desk.settled()
    expect((await states('acknowledgement')).sort()).toEqual(['queued', 'queued', 'sent', 'sent'])
    expect(desk.service.received).toHaveLength(2)
    const log = await stage.run('listEventMails', { as: stage.olivia, params: { id } })
    const waiting = log.body.mails.filter(({ state }) => state === 'queued')
    expect(waiting.map(({ reason }) => reason)).toEqual([
      'Your emails of the day are used up. It leaves when there is room, nothing is lost.',
      'Your emails of the day are used up. It leaves when there is room, nothing is lost.',
    ])
    const jobs = await stage
      .db('jobs')
      .where({ kind: 'send-mail', state: 'waiting' })
      .where('key', 'like', 'acknowledgement:%')
    expect(jobs.map(({ attempts }) => attempts)).toEqual([0, 0])
    expect(waiting.map(({ sendAt }) => Date.parse(sendAt))).toEqual([...inOneHour, ...inOneHour])

    await stage.db('mails').where('key', 'like', 'earlier:%').del()
    await desk.hurry()
    await desk.settled()
    expect(await states('acknowledgement')).toEqual(['sent', 'sent', 'sent', 'sent'])
    expect(desk.service.received.filter(({ to }) => to[0] !== stage.olivia.email)).toHaveLength(4)
  })

  it('leave at once when the address is confirmed', async () => {
    await confirm(null)
    const { id } = await stage.publish()
    await sent(mailsPerDay.unconfirmed, 20)
    await stage.applicant(id)
    desk.open()
    await desk.settled()
    expect(await states('acknowledgement')).toEqual(['queued'])
    await confirm(new Date())
    await desk.hurry()
    await desk.settled()
    expect(await states('acknowledgement')).toEqual(['sent'])
  })

  it('are not counted after a day, for others, where nobody took them, or to an account', async () => {
    await confirm(null)
    const { id } = await stage.publish()
    await sent(mailsPerDay.unconfirmed, 25)
    await sent(mailsPerDay.unconfirmed, 1, { organizerId: stage.otto.userId })
    await sent(mailsPerDay.unconfirmed, 2, { handedOverAt: null, state: 'failed' })
    await sent(mailsPerDay.unconfirmed, 3, { userId: stage.olivia.userId })
    await stage.applicant(id)
    desk.open()
    await desk.settled()
    expect(await states('acknowledgement')).toEqual(['sent'])
  })

  it('that cancel an event are counted for its organizer although the event is gone', async () => {
    await confirm(null)
    const { id } = await stage.publish()
    await stage.applicant(id)
    await stage.db('mails').del()
    await stage.db('jobs').del()
    await sent(mailsPerDay.unconfirmed, 1)
    await stage.run('deleteEvent', { as: stage.olivia, params: { id } })
    desk.open()
    await desk.settled()
    const [mail] = await stage.db('mails').where({ kind: 'event-cancelled' })
    expect(mail).toMatchObject({ state: 'queued', organizerId: stage.olivia.userId })
  })

  it('are counted exactly when several servers send at once', async () => {
    await confirm(null)
    const { id } = await stage.publish()
    await sent(mailsPerDay.unconfirmed - 3, 1)
    for (let index = 0; index < 12; index += 1) await stage.applicant(id, { email: `bea${index}@example.com` })
    for (let server = 0; server < 3; server += 1) desk.open()
    await desk.settled()
    expect(desk.service.received).toHaveLength(3)
  })
})
