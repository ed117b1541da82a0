import { expect, it } from 'vitest'
import { queueReminders } from '../applications/mails/reminders.ts'
import { setOrganizerPost } from '../testing/mail/mail-post.ts'
import { setOrganizerStage } from '../testing/organizer-stage.ts'
import { eventBody } from '../testing/route-rig.ts'

const stage = await setOrganizerStage()
const { after } = await setOrganizerPost(stage)

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** Olivia's event with Bea approved, who knows it, and Ben, whom nobody has answered. */
async function publishWithPeople() {
  const { id } = await stage.publish()
  const bea = await stage.applicant(id)
  const ben = await stage.applicant(id, { firstName: 'Ben', email: 'ben@example.com' })
  await stage.db('applications').where({ id: bea }).update({ linkOpenedAt: new Date() })
  await stage.decide(bea, { status: 'approved' })
  await stage.db('users').update({ mailNewApplications: false })
  await after(hourMs)
  return { id, bea, ben }
}

const call = async (route: 'cancelEvent' | 'reinstateEvent' | 'deleteEvent', id: number) =>
  await stage.run(route, { as: stage.olivia, params: { id } })
const cancel = async (id: number) => await call('cancelEvent', id)
const reinstate = async (id: number) => await call('reinstateEvent', id)
const edit = async (id: number, changes: Record<string, unknown>) =>
  await stage.run('updateEvent', { as: stage.olivia, params: { id }, body: eventBody(changes) })
const publicEvent = async (id: number) => (await stage.run('getEvent', { params: { id } })).body
const wrote = async (laterMs: number) => (await after(laterMs)).map(({ to, subject }) => `${to[0]} ${subject}`).sort()

const bothHear = (subject: string) => [`bea@example.com ${subject}`, `ben@example.com ${subject}`]
const cancelled = bothHear('Cancelled: Harbor Mixer')
const reinstated = bothHear('Not cancelled after all: Harbor Mixer')

it('a cancelled event stays readable, says so, and takes no applications', async () => {
  const { id } = await publishWithPeople()
  const { status, body } = await cancel(id)
  expect([status, body.cancelledAt, body.edition]).toEqual([200, stage.clock.now.toISOString(), 2])
  expect(await publicEvent(id)).toMatchObject({
    cancelledAt: body.cancelledAt,
    applicationsClosed: true,
    beaconCount: 1,
  })
  const late = await stage.apply(id, { email: 'late@example.com' })
  expect([late.status, late.body.code, late.body.message]).toEqual([409, 'not_allowed_now', 'This event is cancelled.'])
  expect((await cancel(id)).body.edition).toBe(2)
})

it('those who count on it are told once, after a minute, with a calendar entry that says so', async () => {
  const { id } = await publishWithPeople()
  await cancel(id)
  expect(await after(30_000)).toEqual([])
  const mails = await after(minuteMs)
  expect(mails.map(({ to, subject }) => `${to[0]} ${subject}`).sort()).toEqual(cancelled)
  const calendar = mails.find(({ to }) => to[0] === 'bea@example.com')?.calendar
  for (const line of ['METHOD:CANCEL', 'STATUS:CANCELLED', 'SEQUENCE:2']) expect(calendar).toContain(`${line}\r\n`)
  await cancel(id)
  expect((await call('deleteEvent', id)).status).toBe(204)
  expect(await after(hourMs)).toEqual([])
})

it('a deletion right after it still lets the mails leave, once', async () => {
  const { id } = await publishWithPeople()
  await cancel(id)
  await call('deleteEvent', id)
  expect(await wrote(hourMs)).toEqual(cancelled)
})

it('taken back within a minute, nobody hears of it', async () => {
  const { id } = await publishWithPeople()
  await cancel(id)
  const { status, body } = await reinstate(id)
  expect([status, body.cancelledAt, body.edition]).toEqual([200, undefined, 3])
  expect(await after(hourMs)).toEqual([])
  expect(await publicEvent(id)).toMatchObject({ applicationsClosed: false })
  expect((await stage.apply(id, { email: 'late@example.com' })).status).toBe(201)
})

it('taken back later, each who was told hears so once, with a newer calendar entry', async () => {
  const { id } = await publishWithPeople()
  await cancel(id)
  await after(hourMs)
  await reinstate(id)
  await reinstate(id)
  const mails = await after(hourMs)
  expect(mails.map(({ to, subject }) => `${to[0]} ${subject}`).sort()).toEqual(reinstated)
  const [bea, ben] = mails.sort((one, other) => one.to[0]!.localeCompare(other.to[0]!))
  for (const line of ['METHOD:PUBLISH', 'STATUS:CONFIRMED', 'SEQUENCE:3'])
    expect(bea?.calendar).toContain(`${line}\r\n`)
  expect(bea?.text).toContain('When: March 1–2, 2099')
  expect([ben?.calendar, ben?.text]).toEqual([undefined, expect.stringContaining('Your application still counts')])
  expect(await after(hourMs)).toEqual([])
})

it('back and forth tells everyone what is true in the end, and nothing twice', async () => {
  const { id } = await publishWithPeople()
  await cancel(id)
  expect(await wrote(hourMs)).toEqual(cancelled)
  await reinstate(id)
  await cancel(id)
  expect(await after(hourMs), 'they still know that it is cancelled').toEqual([])
  await reinstate(id)
  expect(await wrote(hourMs)).toEqual(reinstated)
  stage.clock.now = new Date(stage.clock.now.getTime() + minuteMs)
  await cancel(id)
  expect(await wrote(hourMs)).toEqual(cancelled)
})

it('is taken back for one day only', async () => {
  const { id } = await publishWithPeople()
  await cancel(id)
  stage.clock.now = new Date(stage.clock.now.getTime() + 24 * hourMs + 1)
  const { status, body } = await reinstate(id)
  expect([status, body.code, body.message]).toEqual([409, 'not_allowed_now', expect.stringContaining('one day')])
  expect((await publicEvent(id)).cancelledAt).toBeDefined()
})

it('is refused for an event that is over', async () => {
  const { id } = await publishWithPeople()
  stage.clock.now = new Date('2099-03-03T12:00:00Z')
  expect((await cancel(id)).body.code).toBe('not_allowed_now')
})

it('decisions, moves and reminders wait until it takes place', async () => {
  const { id, ben } = await publishWithPeople()
  await cancel(id)
  await after(hourMs)
  await stage.decide(ben, { status: 'approved' })
  await edit(id, { location: 'Pier 10' })
  expect(await after(hourMs)).toEqual([])
  stage.clock.now = new Date('2099-03-01T12:00:00Z')
  expect(await queueReminders(stage.db, stage.clock.now)).toBe(0)
  await stage.db('events').where({ id }).update({ cancelledAt: stage.clock.now })
  await stage.db('mails').where({ kind: 'event-cancelled' }).del()
  await reinstate(id)
  expect(await wrote(hourMs)).toEqual([
    'bea@example.com New place for Harbor Mixer',
    "ben@example.com You're a Beacon for Harbor Mixer!",
  ])
})

it('a reminder that waited is not sent for a cancelled event', async () => {
  const { id } = await publishWithPeople()
  stage.clock.now = new Date('2099-03-01T12:00:00Z')
  expect(await queueReminders(stage.db, stage.clock.now)).toBe(1)
  await stage.db('events').where({ id }).update({ cancelledAt: stage.clock.now })
  expect(await after(hourMs)).toEqual([])
})
