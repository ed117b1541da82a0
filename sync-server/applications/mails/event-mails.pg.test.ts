import { describe, expect, it } from 'vitest'
import { setOrganizerPost } from '../../testing/mail/mail-post.ts'
import { setOrganizerStage } from '../../testing/organizer-stage.ts'
import { eventBody } from '../../testing/route-rig.ts'
import { queueReminders } from './reminders.ts'

const stage = await setOrganizerStage()
const { after } = await setOrganizerPost(stage)

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** Olivia's event with Bea and Bo approved, who have been told so, and Ben, whom nobody has answered. */
async function publishWithBeacons(changes: Record<string, unknown> = {}) {
  const event = await stage.publish(changes)
  const bea = await stage.applicant(event.id)
  const bo = await stage.applicant(event.id, { firstName: 'Bo', lastName: 'Lind', email: 'bo@example.com' })
  const ben = await stage.applicant(event.id, { firstName: 'Ben', lastName: 'Ash', email: 'ben@example.com' })
  await stage.db('applications').where({ id: bea }).update({ linkOpenedAt: new Date() })
  for (const id of [bea, bo]) await stage.decide(id, { status: 'approved' })
  await stage.db('users').update({ mailNewApplications: false })
  await after(hourMs)
  return { event, bea, bo, ben }
}

const edit = async (id: number, changes: Record<string, unknown>) => {
  const answer = await stage.run('updateEvent', { as: stage.olivia, params: { id }, body: eventBody(changes) })
  expect(answer.status).toBe(200)
}

const unfolded = (calendar: string | undefined) => (calendar ?? '').replaceAll('\r\n ', '')

describe('an event that moves', () => {
  it('is told to each approved Beacon once, old beside new, with a newer calendar entry', async () => {
    const { event } = await publishWithBeacons()
    await edit(event.id, { startDate: '2099-03-05', endDate: '2099-03-06', location: 'Pier 12' })
    expect(await after(4 * minuteMs)).toEqual([])
    const mails = await after(2 * minuteMs)
    expect(mails.map(({ to }) => to).sort()).toEqual([['bea@example.com'], ['bo@example.com']])
    const [mail] = mails
    expect(mail?.subject).toBe('New date and place for Harbor Mixer')
    expect(mail?.text).toContain(`When: March 5–6, 2099, 6:30 PM – 9:00 PM CST
  (was: March 1–2, 2099, 6:30 PM – 9:00 PM CST)
Where: Pier 12, 1 Harbor Way, Chicago, Illinois 60611
  (was: Pier 9, 1 Harbor Way, Chicago, Illinois 60611)`)
    expect(mail?.html).toContain('<s>March 1–2, 2099, 6:30 PM – 9:00 PM CST</s>')
    expect(mail?.text).toContain('If you can no longer make it, please tell the organizer on your own page.')
    expect(mail?.text).not.toMatch(/withdraw/i)
    const calendar = unfolded(mail?.calendar)
    expect(calendar).toContain(`UID:event-${event.id}@beaconry.example\r\n`)
    expect(calendar).toContain('METHOD:PUBLISH\r\n')
    expect(calendar).toContain('SEQUENCE:2\r\n')
    expect(calendar).toContain('DTSTART:20990306T003000Z')
    expect(await after(hourMs)).toEqual([])
  })

  it('takes lost days out of calendars, also when called off before anyone was told', async () => {
    const { event } = await publishWithBeacons()
    await edit(event.id, { endDate: '2099-03-01' })
    const calendars = async () => [unfolded((await after(hourMs)).find(({ calendar }) => calendar)?.calendar)]
    const isGone = [expect.stringMatching(new RegExp(`UID:event-${event.id}-day-2@[^]*STATUS:CANCELLED`))]
    expect(await calendars()).toEqual(isGone)
    await edit(event.id, {})
    expect(await calendars()).not.toEqual(isGone)
    await edit(event.id, { endDate: '2099-03-01' })
    await stage.run('deleteEvent', { as: stage.olivia, params: { id: event.id } })
    expect(await calendars()).toEqual(isGone)
  })

  it('in several steps causes one mail, five minutes after the last, from known to true', async () => {
    const { event } = await publishWithBeacons()
    await edit(event.id, { startTime: '17:00' })
    expect(await after(3 * minuteMs)).toEqual([])
    await edit(event.id, { startTime: '17:00', location: 'Pier 10' })
    expect(await after(3 * minuteMs)).toEqual([])
    await edit(event.id, { startTime: '17:30', location: 'Pier 11' })
    expect(await after(4 * minuteMs)).toEqual([])
    const mails = await after(2 * minuteMs)
    expect(mails).toHaveLength(2)
    expect(mails[0]?.subject).toBe('New time and place for Harbor Mixer')
    expect(mails[0]?.text).toContain('5:30 PM – 9:00 PM CST\n  (was: March 1–2, 2099, 6:30 PM – 9:00 PM CST)')
    expect(mails[0]?.text).not.toMatch(/Pier 10|5:00 PM/)
  })

  it('is told with what the organizer adds to each step, without links of an unconfirmed account', async () => {
    const { event } = await publishWithBeacons()
    await edit(event.id, { startTime: '17:00', changeNote: 'Sorry, [Beacon Name]: the hall closes early.' })
    await edit(event.id, { startTime: '17:30', changeNote: 'See https://example.com/map' })
    const toBea = async () => (await after(6 * minuteMs)).find(({ to }) => to.includes('bea@example.com'))?.text
    expect(await toBea()).toContain(
      'Sorry, Bea Moss: the hall closes early.\nSee https://example.com/map\n\nHere is what changed:',
    )
    await stage.db('users').update({ emailVerifiedAt: null })
    await edit(event.id, { startTime: '18:00', changeNote: 'See https://example.com/map' })
    const unconfirmed = await toBea()
    expect(unconfirmed).toContain('6:00 PM')
    expect(unconfirmed).not.toContain('example.com/map')
  })

  it('and moves back within that time causes none; later it is told once more', async () => {
    const { event } = await publishWithBeacons()
    await edit(event.id, { name: 'Harbor Night', description: 'Another one', promoCode: 'PIER' })
    expect(await after(hourMs)).toEqual([])
    await edit(event.id, { location: 'Pier 10' })
    await after(3 * minuteMs)
    await edit(event.id, {})
    expect(await after(hourMs)).toEqual([])
    const mails = stage.db('mails').where({ eventId: event.id, kind: 'event-changed' })
    expect(await mails.distinct('state').pluck('state')).toEqual(['cancelled'])
    await edit(event.id, { location: 'Pier 10' })
    expect(await after(hourMs)).toHaveLength(2)
    await edit(event.id, {})
    const [mail] = await after(hourMs)
    expect(mail?.text).toContain('Where: Pier 9, 1 Harbor Way, Chicago, Illinois 60611\n  (was: Pier 10,')
  })

  it('is compared with what stood there before, where no mail is left that told it', async () => {
    const { event } = await publishWithBeacons()
    await stage.db('mails').del()
    await edit(event.id, { location: 'Pier 10' })
    await after(3 * minuteMs)
    await edit(event.id, { location: 'Pier 11' })
    const [mail] = await after(hourMs)
    expect(mail?.text).toContain('Where: Pier 11, 1 Harbor Way, Chicago, Illinois 60611\n  (was: Pier 9,')
  })

  it('is no news for whoever was approved after it had moved, nor for whose approval is gone', async () => {
    const { event, bo, ben } = await publishWithBeacons()
    await edit(event.id, { location: 'Pier 10' })
    await stage.decide(ben, { status: 'approved' })
    await stage.decide(bo, { status: 'rejected' })
    const mails = await after(hourMs)
    expect(mails.map(({ to, subject }) => `${to[0]} ${subject}`).sort()).toEqual([
      'bea@example.com New place for Harbor Mixer',
      "ben@example.com You're a Beacon for Harbor Mixer!",
      'bo@example.com Your approval for Harbor Mixer was withdrawn',
    ])
  })

  it('between an approval and its mail is told by that mail alone', async () => {
    const { event, ben } = await publishWithBeacons()
    await stage.decide(ben, { status: 'approved' })
    await edit(event.id, { location: 'Pier 10' })
    const [approval] = await after(minuteMs)
    expect([approval?.to, approval?.text]).toEqual([['ben@example.com'], expect.stringContaining('Pier 10')])
    expect((await after(hourMs)).map(({ to }) => to[0]).sort()).toEqual(['bea@example.com', 'bo@example.com'])
  })
})

describe('a deleted event', () => {
  const remove = async (id: number) =>
    expect((await stage.run('deleteEvent', { as: stage.olivia, params: { id } })).status).toBe(204)

  it('is called off for the approved and for whoever waits, from a copy of its own', async () => {
    const { event } = await publishWithBeacons()
    const rejected = await stage.applicant(event.id, { email: 'bill@example.com' })
    await stage.decide(rejected, { status: 'rejected' })
    await after(hourMs)
    await remove(event.id)
    const mails = await after(0)
    expect(mails.map(({ to }) => to[0]).sort()).toEqual(['bea@example.com', 'ben@example.com', 'bo@example.com'])
    const to = (address: string) => mails.find((mail) => mail.to[0] === address)
    expect(to('bea@example.com')?.subject).toBe('Cancelled: Harbor Mixer')
    expect(to('bea@example.com')?.text).toContain('Hello Bea Moss,')
    expect(to('bea@example.com')?.text).toContain('March 1–2, 2099, 6:30 PM – 9:00 PM CST')
    expect(to('bea@example.com')?.text).toContain('Pier 9, 1 Harbor Way, Chicago, Illinois 60611')
    const calendar = unfolded(to('bea@example.com')?.calendar)
    expect(calendar).toContain('METHOD:CANCEL\r\n')
    expect(calendar).toContain(`UID:event-${event.id}@beaconry.example\r\n`)
    expect(calendar).toContain('SEQUENCE:2\r\n')
    expect(calendar).toContain('STATUS:CANCELLED\r\n')
    // Ben may have typed somebody else's address, as may Bo: not a word of theirs, and for Ben no calendar entry.
    expect(to('bo@example.com')?.raw).not.toContain('Lind')
    expect(to('ben@example.com')?.raw).not.toContain('Ash')
    expect(to('ben@example.com')?.calendar).toBeUndefined()
  })

  it('stops every other mail about it; a decision nobody heard of does not count', async () => {
    const { event, bo, ben } = await publishWithBeacons()
    await edit(event.id, { location: 'Pier 10' })
    await stage.decide(ben, { status: 'rejected' })
    await stage.decide(bo, { status: 'rejected' })
    await remove(event.id)
    const mails = await after(hourMs)
    expect(mails.map(({ to, subject }) => `${to[0]} ${subject}`).sort()).toEqual([
      'bea@example.com Cancelled: Harbor Mixer',
      'ben@example.com Cancelled: Harbor Mixer',
      'bo@example.com Cancelled: Harbor Mixer',
    ])
    expect(mails.find(({ to }) => to[0] === 'bo@example.com')?.calendar).toContain('METHOD:CANCEL')
    expect(mails.find(({ to }) => to[0] === 'ben@example.com')?.calendar).toBeUndefined()
  })

  it('that is over already is nobody’s news', async () => {
    const { event } = await publishWithBeacons()
    stage.clock.now = new Date('2099-03-03T12:00:00Z')
    await remove(event.id)
    expect(await after(0)).toEqual([])
  })
})

describe('a reminder', () => {
  // Half past six in the evening, in Chicago.
  const start = Date.parse('2099-03-02T00:30:00Z')
  const before = (hours: number) => {
    stage.clock.now = new Date(start - hours * hourMs)
  }
  const remind = async () => {
    await queueReminders(stage.db, stage.clock.now)
    return (await after(0)).filter(({ subject }) => subject.startsWith('Reminder'))
  }

  it('reaches each approved Beacon a day before, with what the organizer has to say, once', async () => {
    await publishWithBeacons({ beaconInstructions: 'Be at the desk at six.\nAsk for Olivia.' })
    before(24.1)
    expect(await remind()).toEqual([])
    before(24)
    const mails = await remind()
    expect(mails.map(({ to }) => to[0]).sort()).toEqual(['bea@example.com', 'bo@example.com'])
    expect(mails[0]?.subject).toBe('Reminder: Harbor Mixer')
    expect(mails[0]?.text).toContain('When: March 1–2, 2099, 6:30 PM – 9:00 PM CST')
    expect(mails[0]?.text).toContain('From the organizer:\nBe at the desk at six.\nAsk for Olivia.')
    before(12)
    expect(await remind()).toEqual([])
  })

  it('is sent once, however many servers look at the same time', async () => {
    await publishWithBeacons()
    before(23)
    const counts = await Promise.all(Array.from({ length: 8 }, () => queueReminders(stage.db, stage.clock.now)))
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(2)
    expect(await remind()).toHaveLength(2)
  })

  it('moves with the event, and comes again for another start', async () => {
    const { event } = await publishWithBeacons()
    await edit(event.id, { startDate: '2099-03-02' })
    before(24)
    expect(await remind()).toEqual([])
    stage.clock.now = new Date(start)
    expect(await remind()).toHaveLength(2)
    await edit(event.id, { startDate: '2099-03-08', endDate: '2099-03-08' })
    stage.clock.now = new Date(start + 6 * 24 * hourMs)
    expect((await remind())[0]?.text).toContain('March 8, 2099')
  })

  it('that waits for its turn while the event moves is not sent', async () => {
    const { event } = await publishWithBeacons()
    before(24)
    await queueReminders(stage.db, stage.clock.now)
    await edit(event.id, { startTime: '19:00' })
    expect(await remind()).toEqual([])
  })

  it('spares whoever was approved less than a day before, and comes late rather than never', async () => {
    const { ben } = await publishWithBeacons()
    before(23.5)
    await stage.decide(ben, { status: 'approved' })
    before(2)
    expect((await remind()).map(({ to }) => to[0]).sort()).toEqual(['bea@example.com', 'bo@example.com'])
  })

  it('asks nobody who has answered, nor who says meanwhile that they can’t come', async () => {
    const { bea, bo, ben } = await publishWithBeacons()
    await stage.decide(ben, { status: 'approved' })
    await after(hourMs)
    const say = (id: number, coming: boolean) => stage.db('applications').where({ id }).update({ coming })
    await say(bea, true)
    await say(bo, false)
    before(24)
    await queueReminders(stage.db, stage.clock.now)
    await say(ben, false)
    const mails = await remind()
    expect(mails.map(({ to }) => to[0])).toEqual(['bea@example.com'])
    expect(mails[0]?.text).not.toContain('Still coming?')
  })

  it('reaches one who says on the last day that they come after all', async () => {
    const { event } = await publishWithBeacons()
    const { body: cleo } = await stage.apply(event.id, { firstName: 'Cleo', email: 'cleo@example.com' })
    await stage.decide(cleo.id, { status: 'approved' })
    await stage.run('sayComing', { body: { token: cleo.token, coming: false } })
    await after(hourMs)
    before(24)
    expect(await remind()).toHaveLength(2)
    before(12)
    await stage.run('sayComing', { body: { token: cleo.token, coming: true } })
    expect((await remind()).map(({ to }) => to[0])).toEqual(['cleo@example.com'])
  })

  it('is offered once for each start, and not again at each look', async () => {
    const { ben } = await publishWithBeacons()
    before(24)
    expect(await remind()).toHaveLength(2)
    await stage
      .db('applications')
      .where({ id: ben })
      .update({ status: 'approved', decidedAt: new Date(0) })
    before(12)
    expect(await remind()).toEqual([])
  })

  it('is not sent to whose approval was withdrawn, nor once the event has begun', async () => {
    const { bo } = await publishWithBeacons()
    before(24)
    await queueReminders(stage.db, stage.clock.now)
    await stage.decide(bo, { status: 'rejected' })
    expect((await remind()).map(({ to }) => to[0])).toEqual(['bea@example.com'])
    await stage.db('mails').where({ kind: 'reminder' }).del()
    await stage.db('jobs').del()
    before(0)
    expect(await remind()).toEqual([])
  })
})
