import { beforeEach, describe, expect, it } from 'vitest'
import { approvalValues, renderApprovalMail } from '#shared/mail/email-template.ts'
import { deskOrigin, setOrganizerDesk } from '../../testing/mail/mail-desk.ts'
import { setOrganizerStage } from '../../testing/organizer-stage.ts'
import { readMail } from '../../testing/mail/smtp-service.ts'

const stage = await setOrganizerStage()
const desk = await setOrganizerDesk(stage)
let eventId: number
let id: number

beforeEach(async () => {
  eventId = (await stage.publish({ name: 'Harbor Mixer' })).id
  id = await stage.applicant(eventId)
  await stage.db('applications').where({ id }).update({ linkOpenedAt: new Date() })
  desk.open()
  await desk.settled()
  desk.service.received.length = 0
})

const decide = async (status: string, changes: Record<string, unknown> = {}) =>
  expect((await stage.decide(id, { status, ...changes })).status).toBe(200)
/** Lets the holds end and waits for what comes of it. */
const holdsEnd = async () => {
  await desk.hurry()
  await desk.settled()
}
/** Until the mail of a decision has been tried and is to be tried again. */
const expectPutOff = async (decisionNumber: number) =>
  await expect
    .poll(
      async () =>
        await stage
          .db('jobs')
          .where({ key: `decision-mail:${id}:${decisionNumber}` })
          .where('claims', '>', 0)
          .first('state'),
    )
    .toEqual({ state: 'waiting' })
const arrived = () => desk.service.received.map((mail) => readMail(mail).headers['subject'])
const ownMails = async () =>
  (await stage.db('mails').where({ applicationId: id, kind: 'decision' }).orderBy('id')).map(({ state }) => state)

const approved = "You're a Beacon for Harbor Mixer!"
const declined = 'Your application for Harbor Mixer'
const withdrawn = 'Your approval for Harbor Mixer was withdrawn'

describe('an approval', () => {
  it('says the default template, brings the calendar entry, and leads to the applicant’s page', async () => {
    await decide('approved')
    expect(await ownMails()).toEqual(['held'])
    expect(desk.service.received).toEqual([])
    await holdsEnd()
    const [mail, ...more] = desk.service.received
    expect([mail?.to, more]).toEqual([['bea@example.com'], []])
    const { headers, parts, whole } = readMail(mail!)
    expect([headers['subject'], headers['to']]).toEqual([approved, 'Bea Moss <bea@example.com>'])
    const event = (await stage.run('getEvent', { params: { id: eventId } })).body
    const letter = renderApprovalMail(
      { subject: null, body: null },
      approvalValues('Bea Moss', { ...event, beaconInstructions: null, promoCode: null }),
    )
    expect(parts[0]!.replaceAll('\r\n', '\n').startsWith(letter.text)).toBe(true)
    expect(parts[1]).toContain('Hi Bea Moss,')
    expect(whole[2]!.headers).toMatchObject({
      'content-type': 'text/calendar; charset=utf-8; method=PUBLISH; name=harbor-mixer.ics',
      'content-disposition': 'attachment; filename=harbor-mixer.ics',
    })
    expect(parts[2]).toMatch(/METHOD:PUBLISH[\s\S]*SUMMARY:Harbor Mixer/)

    const [link, token = ''] =
      new RegExp(`${deskOrigin}/events/${eventId}/apply#application=(\\S+)`).exec(parts[0]!) ?? []
    expect(parts[1]).toContain(`href="${link}"`)
    const own = await stage.run('getOwnApplication', { applicationToken: token })
    expect(own.body).toMatchObject({ id, status: 'approved', firstName: 'Bea' })
    const forged = token.replace(/^\d+/, String(id + 1))
    expect((await stage.run('getOwnApplication', { applicationToken: forged })).status).toBe(404)
  })

  it('says what the organizer wrote, as it is when it leaves', async () => {
    await stage.db('events').where({ id: eventId }).update({ customBeaconEmailSubject: 'Too early' })
    await decide('approved')
    await stage.db('events').where({ id: eventId }).update({
      customBeaconEmailSubject: 'Welcome, [Beacon Name]!',
      customBeaconEmailBody: 'Dear [Beacon Name],\n[Custom Instructions]\n[Promo Code]\nUse $& and [Whatever].',
      beaconInstructions: 'Come to the back door.',
    })
    await holdsEnd()
    expect(arrived()).toEqual(['Welcome, Bea Moss!'])
    expect(readMail(desk.service.received[0]!).parts[0]).toContain(
      'Dear Bea Moss,\r\nCome to the back door.\r\nUse $& and [Whatever].',
    )
  })

  it('goes to the address the applicant has corrected meanwhile', async () => {
    await decide('approved')
    await stage.db('applications').where({ id }).update({ email: 'bea.moss@example.com', lastName: 'Moss-Hill' })
    await holdsEnd()
    expect(desk.service.received[0]?.to).toEqual(['bea.moss@example.com'])
    expect(await stage.db('mails').where({ kind: 'decision' }).first()).toMatchObject({
      toName: 'Bea Moss-Hill',
      toAddress: 'bea.moss@example.com',
    })
  })
})

describe('a rejection', () => {
  it('is polite, and none of the organizer’s own words', async () => {
    await stage.db('events').where({ id: eventId }).update({ customBeaconEmailBody: 'You are in!' })
    await decide('rejected')
    await holdsEnd()
    expect(arrived()).toEqual([declined])
    const { parts } = readMail(desk.service.received[0]!)
    expect(parts).toHaveLength(2)
    expect(parts[0]).toMatch(/thank you for offering to be a Beacon for Harbor Mixer/i)
    expect(parts.join('')).not.toContain('You are in!')
  })

  it('is not told where the organizer keeps it quiet', async () => {
    await decide('rejected', { tellApplicant: false })
    await holdsEnd()
    expect([arrived(), await ownMails()]).toEqual([[], []])
  })

  it('after an approval that was sent is the withdrawal of it; neither can be kept quiet', async () => {
    await decide('approved', { tellApplicant: false })
    await holdsEnd()
    await stage.db('events').where({ id: eventId }).update({ customBeaconEmailBody: 'You are in!' })
    await decide('rejected', { tellApplicant: false })
    await holdsEnd()
    expect(arrived()).toEqual([approved, withdrawn])
    expect(readMail(desk.service.received[1]!).parts[0]).not.toContain('You are in!')
  })
})

describe('a decision that changes', () => {
  it('while its mail is held is told as what it came to', async () => {
    await decide('approved')
    await decide('rejected')
    await holdsEnd()
    expect([arrived(), await ownMails()]).toEqual([[declined], ['cancelled', 'sent']])
  })

  it('back to what the applicant knows is no news', async () => {
    await decide('approved')
    await holdsEnd()
    await decide('rejected')
    await decide('approved')
    await holdsEnd()
    expect([arrived(), await ownMails()]).toEqual([[approved], ['sent', 'cancelled', 'cancelled']])
    await decide('rejected')
    await holdsEnd()
    expect(arrived()).toEqual([approved, withdrawn])
  })

  it('is never told while its mail is turned away; the next starts from what was heard', async () => {
    desk.service.refused.set('bea@example.com', 451)
    await decide('approved')
    await desk.hurry()
    await expectPutOff(1)
    expect(await stage.db('mails').where({ kind: 'decision' }).first()).toMatchObject({
      lastError: expect.stringContaining('451') as string,
    })
    await decide('rejected')
    desk.service.refused.clear()
    await holdsEnd()
    expect([arrived(), await ownMails()]).toEqual([[declined], ['cancelled', 'sent']])
  })

  it('while its mail is on its way waits for it; turned away after all, it was never heard', async () => {
    const stall = desk.service.stallAt('rcpt')
    desk.service.refused.set('bea@example.com', 451)
    await decide('approved')
    await desk.hurry()
    await stall.reached
    await decide('rejected')
    expect(await stage.db('mails').where({ kind: 'decision' }).orderBy('id').select('payload')).toMatchObject([
      {},
      { payload: { knownStatus: 'approved', toStatus: 'rejected' } },
    ])
    await desk.hurry()
    await expectPutOff(2)
    desk.service.refused.clear()
    stall.release()
    await expectPutOff(1)
    await holdsEnd()
    expect([arrived(), await ownMails()]).toEqual([[declined], ['cancelled', 'sent']])
  })

  it('after nobody knew whether the approval arrived counts it as heard', async () => {
    const stall = desk.service.stallAt('answer')
    await decide('approved')
    await desk.hurry()
    await stall.reached
    desk.service.hangUp()
    await expect.poll(ownMails).toEqual(['failed'])
    stall.release()
    await decide('rejected')
    await holdsEnd()
    expect(arrived()).toEqual([approved, withdrawn])
  })

  it('is not told to whoever has withdrawn meanwhile, or whose event is gone', async () => {
    const applied = await stage.apply(eventId, { email: 'bo@example.com' })
    await desk.settled()
    desk.service.received.length = 0
    await stage.decide(applied.body.id, { status: 'approved' })
    expect((await stage.run('withdrawApplication', { body: { token: applied.body.token } })).status).toBe(200)
    await decide('approved')
    await stage.db('events').where({ id: eventId }).del()
    await holdsEnd()
    expect(arrived()).toEqual([])
    const states = await stage.db('mails').where({ kind: 'decision' }).select('state')
    expect(states).toEqual([{ state: 'cancelled' }, { state: 'cancelled' }])
  })
})
