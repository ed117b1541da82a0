import { describe, expect, it } from 'vitest'
import { type ArrivedMail, setOrganizerPost } from '../../testing/mail/mail-post.ts'
import { decodeWords } from '../../testing/mail/mime.ts'
import { setOrganizerStage } from '../../testing/organizer-stage.ts'
import { eventBody } from '../../testing/route-rig.ts'
import { queueReminders } from './reminders.ts'

/** By which everything is found again that the organizer wrote and that is no name or place of the event. */
const canary = 'Zebulon'
/** A mail as it goes over the wire. */
const maxBytes = 20_000

const stage = await setOrganizerStage()
const post = await setOrganizerPost(stage)

const confirm = async (at: Date | null) =>
  await stage.db('users').where({ id: stage.olivia.userId }).update({ emailVerifiedAt: at })
/** Lets every hold end, and answers the mails that leave by then. */
const holdsEnd = async () => await post.after(3_600_000)
const words = {
  customBeaconEmailSubject: `${canary} subject for [Beacon Name]`,
  customBeaconEmailBody: `${canary} body.\n[Custom Instructions]\n[Promo Code]`,
  customQuestions: [],
  showDefaultQuestions: true,
}

/** An event with everything an organizer can write, and every mail an applicant gets about it. */
async function wholeLife(name: string): Promise<ArrivedMail[]> {
  const as = stage.olivia
  const typed = { name, description: canary, beaconInstructions: canary, promoCode: canary, endDate: '2099-03-01' }
  const { id } = await stage.publish(typed)
  expect((await stage.run('customizeEvent', { as, params: { eventId: id }, body: words })).status).toBe(200)
  const bea = await stage.applicant(id)
  const ben = await stage.applicant(id, { firstName: 'Ben', email: 'ben@example.com' })
  const mails = await holdsEnd()
  expect((await stage.decide(bea, { status: 'approved' })).status).toBe(200)
  expect((await stage.decide(ben, { status: 'rejected' })).status).toBe(200)
  mails.push(...(await holdsEnd()))
  const moved = eventBody({ ...typed, location: 'Dock 3' })
  expect((await stage.run('updateEvent', { as, params: { id }, body: moved })).status).toBe(200)
  mails.push(...(await holdsEnd()))
  stage.clock.now = new Date('2099-03-01T12:00:00Z')
  await queueReminders(stage.db, stage.clock.now)
  mails.push(...(await holdsEnd()))
  expect((await stage.run('deleteEvent', { as, params: { id } })).status).toBe(204)
  return [...mails, ...(await holdsEnd())]
}
/** All of a mail that anyone can read, decoded. */
const everythingIn = ({ mime, text, html, calendar }: ArrivedMail) =>
  [...mime.headers.map(([, value]) => decodeWords(value)), text, html, calendar].join('\n')

describe('an organizer who has not confirmed their email address', () => {
  it('sends none of their own words to an applicant but the name and place of the event', async () => {
    await confirm(null)
    const mails = await wholeLife('Harbor Mixer')
    // Mails that are due together leave together, in any order.
    expect(mails.map(({ subject }) => subject).sort()).toEqual([
      'Cancelled: Harbor Mixer',
      'New place for Harbor Mixer',
      'Reminder: Harbor Mixer',
      'We have your application for Harbor Mixer',
      'We have your application for Harbor Mixer',
      "You're a Beacon for Harbor Mixer!",
      'Your application for Harbor Mixer',
    ])
    for (const mail of mails) expect(everythingIn(mail)).not.toContain(canary)
  })

  it('sends a name that is short and leads nowhere', async () => {
    await confirm(null)
    const bait = `Your account is locked, sign in at https://evil.example/login or evil.example/x or write to me@evil.example. ${'Now! '.repeat(8)}`
    for (const mail of await wholeLife(bait.slice(0, 160))) {
      expect(mail.subject.length).toBeLessThan(130)
      expect(everythingIn(mail)).not.toContain('evil.example')
    }
  })

  it('sends their own words from the moment the address is confirmed', async () => {
    await confirm(null)
    const { id } = await stage.publish()
    await stage.run('customizeEvent', { as: stage.olivia, params: { eventId: id }, body: words })
    const bea = await stage.applicant(id)
    await stage.decide(bea, { status: 'approved' })
    await confirm(new Date())
    expect((await holdsEnd()).map(({ subject }) => subject)).toContain(`${canary} subject for Beacon`)
  })
})

describe('a mail to an applicant', () => {
  const approvalOf = async (changes: Record<string, unknown>, stored: Record<string, unknown>) => {
    const { id } = await stage.publish(changes)
    await stage.db('events').where({ id }).update(stored)
    const bea = await stage.applicant(id)
    await stage.decide(bea, { status: 'approved' })
    const mail = (await holdsEnd()).find(({ raw }) => raw.includes('method=PUBLISH'))!
    return { bytes: Buffer.byteLength(mail.raw), text: mail.text }
  }

  it.each([
    ['instructions named hundreds of times', '[Custom Instructions]\n'.repeat(450), 'Come early. '.repeat(330), 'x'],
    ['a text of links', 'a.b.c@d '.repeat(1_200), null, 'x'],
    ['a text of paragraphs', 'a\n\n'.repeat(3_300), null, 'x'],
    ['a text of signs that take an entity', `&"<>'`.repeat(2_000), null, 'x'],
    ['a text of other scripts', '漢字🎉'.repeat(3_000), '漢'.repeat(4_000), '🎉'.repeat(2_000)],
  ])('has at most 20 kB, with %s from before the limit', async (_, body, instructions, description) => {
    const { bytes, text } = await approvalOf(
      { description, name: '🎉'.repeat(80), address: '漢'.repeat(300) },
      { customBeaconEmailBody: body, beaconInstructions: instructions },
    )
    expect(bytes).toBeLessThanOrEqual(maxBytes)
    expect(text).toContain('[… shortened: the text is too long for one email]')
  })

  it('carries a long text whole as long as it fits', async () => {
    const body = `${'Please be at the welcome desk in time. '.repeat(95)}The end.`
    const { bytes, text } = await approvalOf({ beaconInstructions: 'Come.' }, { customBeaconEmailBody: body })
    expect(text).toContain('The end.')
    expect(text).not.toContain('shortened')
    expect(bytes).toBeLessThanOrEqual(maxBytes)
  })

  it('refuses a template that no mail can hold when it is saved, at its field', async () => {
    const { id } = await stage.publish()
    const long = { ...words, customBeaconEmailBody: 'x'.repeat(4_001) }
    const answer = await stage.run('customizeEvent', { as: stage.olivia, params: { eventId: id }, body: long })
    expect([answer.status, answer.body.fields]).toEqual([
      400,
      { customBeaconEmailBody: 'Please keep this under 4000 characters' },
    ])
  })
})
