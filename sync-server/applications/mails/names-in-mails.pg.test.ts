import { describe, expect, it } from 'vitest'
import { eventNameInMail } from '#shared/mail/organizer-words.ts'
import { type ArrivedMail, setOrganizerPost } from '../../testing/mail/mail-post.ts'
import { headerOf } from '../../testing/mail/mime.ts'
import { setOrganizerStage } from '../../testing/organizer-stage.ts'
import { correctedBody } from '../../testing/route-rig.ts'

const stage = await setOrganizerStage()
const post = await setOrganizerPost(stage)

const hourMs = 3_600_000
/** Lets an hour pass and answers the mails that leave in it. */
const anHourLater = async () => await post.after(hourMs)
const tokenIn = (mail: ArrivedMail | undefined) => /apply#application=(\S+)/.exec(mail?.text ?? '')?.[1] ?? ''
const openOwnPage = async (token: string) =>
  expect((await stage.run('getOwnApplication', { applicationToken: token })).status).toBe(200)
const greeted = (mail: ArrivedMail | undefined) => [
  /^(?:Hi|Hello).*,$/m.exec(mail?.text ?? '')?.[0],
  mail?.mime && headerOf(mail.mime, 'to'),
]

describe('a mail to an applicant', () => {
  it('greets by name once a link in an earlier mail was opened, until the address changes', async () => {
    const event = await stage.publish()
    const applied = await stage.apply(event.id)
    const [acknowledgement] = await anHourLater()
    const decided = async (status: string) => {
      expect((await stage.decide(applied.body.id, { status })).status).toBe(200)
      return (await anHourLater()).find(({ to }) => to[0]?.startsWith('bea'))
    }
    // The first answer's token is known to the sender of the form, who may not be the reader of the mailbox.
    await openOwnPage(applied.body.token)
    expect(greeted(await decided('approved'))).toEqual(['Hi Beacon,', 'bea@example.com'])

    const link = tokenIn(acknowledgement)
    await openOwnPage(link)
    expect(greeted(await decided('rejected'))).toEqual(['Hello Bea Moss,', 'Bea Moss <bea@example.com>'])
    expect(greeted(await decided('approved'))).toEqual(['Hi Bea Moss,', 'Bea Moss <bea@example.com>'])

    const corrected = correctedBody({ email: 'bea.other@example.com' })
    expect((await stage.run('correctApplication', { body: { token: link, ...corrected } })).status).toBe(200)
    await openOwnPage(link)
    const toOther = await decided('rejected')
    expect(greeted(toOther)).toEqual(['Hello,', 'bea.other@example.com'])
    await openOwnPage(tokenIn(toOther))
    expect(greeted(await decided('approved'))).toEqual(['Hi Bea Moss,', 'Bea Moss <bea.other@example.com>'])
    const log = await stage.run('listEventMails', { as: stage.olivia, params: { id: event.id } })
    expect(new Set(log.body.mails.filter(({ kind }) => kind === 'decision').map(({ recipient }) => recipient))).toEqual(
      new Set(['Bea Moss']),
    )
  })

  it('carries no address of a confirmed organizer’s event or of an applicant’s name, in any part', async () => {
    const event = await stage.publish({
      name: 'Win at https://evil.example/a or evil.example now',
      description: 'Fine.',
    })
    const names = { firstName: 'URGENT sign in', lastName: 'www.evil.example \u001b[2J' }
    const applied = await stage.apply(event.id, names)
    await openOwnPage(tokenIn((await anHourLater())[0]))
    await stage.decide(applied.body.id, { status: 'approved' })
    const [approval] = await anHourLater()
    expect(approval?.subject).toBe("You're a Beacon for Win at or now!")
    expect(greeted(approval)).toEqual(['Hi URGENT sign in [2J,', '"URGENT sign in [2J" <bea@example.com>'])
    expect(approval?.calendar).toContain('SUMMARY:Win at or now\r\n')
    await stage.run('deleteEvent', { as: stage.olivia, params: { id: event.id } })
    const all = [approval, ...(await anHourLater())]
    expect(all).toHaveLength(2)
    for (const mail of all) expect(`${mail?.subject}${mail?.text}${mail?.html}${mail?.calendar}`).not.toMatch(/evil/)
    expect(eventNameInMail('evil.example')).toBe('an event')
  })
})

it('decision mails to one mailbox are five within a day; the log says why the sixth waits', async () => {
  const { id } = await stage.publish()
  for (let number = 1; number <= 6; number += 1) {
    const applicant = await stage.applicant(id, { email: `cy+${number}@EXAMPLE.com` })
    await stage.decide(applicant, { status: 'rejected' })
  }
  const others = await stage.applicant(id, { email: 'bo@example.com' })
  await stage.decide(others, { status: 'rejected' })
  const sent = (await anHourLater()).filter(({ subject }) => subject.startsWith('Your application'))
  expect(sent.map(({ to }) => to[0]).sort()).toEqual([
    'bo@example.com',
    ...[1, 2, 3, 4, 5].map((number) => `cy+${number}@example.com`),
  ])
  const refused = async () => {
    const log = await stage.run('listEventMails', { as: stage.olivia, params: { id } })
    return log.body.mails.filter(({ state }) => state === 'failed')
  }
  const [sixth, ...more] = await refused()
  expect([sixth?.reason, more]).toEqual(['This mailbox got many emails within a day. Send it again tomorrow.', []])

  await stage.run('retryMail', { as: stage.olivia, params: { id: sixth!.id } })
  expect([await anHourLater(), (await refused()).length]).toEqual([[], 1])
  await stage
    .db('mails')
    .where({ state: 'sent' })
    .update({ handedOverAt: stage.db.raw(`now() - interval '25 hours'`) })
  await stage.run('retryMail', { as: stage.olivia, params: { id: sixth!.id } })
  expect((await anHourLater()).map(({ to }) => to[0])).toEqual(['cy+6@example.com'])
})
