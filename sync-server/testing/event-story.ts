import { expect } from 'vitest'
import { longestReason } from '#shared/admin/take-down.ts'
import { createAccountTasks } from '../accounts/account-mails.ts'
import type { MailRow } from '../db/rows/message-rows.ts'
import { queueReminders } from '../applications/mails/reminders.ts'
import type { ArrivedMail, OrganizerPost } from './mail/mail-post.ts'
import type { PushStage } from './push/push-stage.ts'
import { applicationBody, eventBody } from './route-rig.ts'

/** By which whatever an applicant or a new user says of themselves is found again. */
export const canary = 'Zebulon'

/** Everything that people type and that comes near a mail; the event moves to `newLocation`. */
export const plain = {
  username: `${canary} Club`,
  organizationName: 'Harbor Club',
  name: 'Harbor Night',
  description: 'By the water.',
  location: 'Pier 9',
  address: '1 Harbor Way',
  city: 'Chicago',
  beaconInstructions: 'Be early.\n\nBe kind.',
  promoCode: 'PIER',
  newLocation: 'Dock 3',
  subject: 'Welcome, [Beacon Name]',
  body: 'Hi [Beacon Name],\n\n[Event Name]\nsee.you there@dock https://dock',
  question: 'Why?',
  firstName: canary,
  lastName: 'Moss',
  company: 'Moss & Co',
  bio: 'Hello.',
  email: 'plain.bea@canary.example',
  otherEmail: 'plain.ben@canary.example',
}
export type TypedValues = Readonly<typeof plain>

export interface EventStory {
  readonly mails: readonly (ArrivedMail & Pick<MailRow, 'kind'>)[]
  /** What the organizer's phone was told, decrypted, as JSON. */
  readonly pushes: readonly string[]
  /** Addresses that were accepted as such. */
  readonly addresses: ReadonlySet<string>
}

const minuteMs = 60_000
const password = 'long enough'
/** Half a day before the event of `eventBody` begins, in Chicago. */
const dayOfTheEvent = new Date('2099-03-01T12:00:00Z')
let stories = 0

/**
 * The whole life of an event by the real calls, with every kind of mail on its way through the real task and a mail server.
 * What is refused must be refused as bad input, and plain values take its place.
 */
export async function playEventStory(stage: PushStage, post: OrganizerPost, values: TypedValues): Promise<EventStory> {
  const { clock, db, run } = stage
  const story = ++stories
  const mails: (ArrivedMail & Pick<MailRow, 'kind'>)[] = []
  const addresses = new Set<string>()

  const deliver = async (later = 0) => {
    const before = await db('mails').where({ state: 'sent' }).pluck('id')
    const arrived = await post.after(later)
    // One after the other, so the rows are in the order in which the mails arrived.
    const sent = await db('mails').where({ state: 'sent' }).whereNotIn('id', before).orderBy(['sentAt', 'id'])
    expect(arrived.map(({ to }) => to)).toEqual(sent.map(({ toAddress: address }) => [address]))
    mails.push(...arrived.map((mail, index) => ({ ...mail, kind: sent[index]!.kind })))
    // No value keeps a mail from being sent either.
    expect(await db('mails').where({ state: 'failed' }).pluck('lastError')).toEqual([])
  }
  const accepted = async (
    ...attempts: readonly (() => Promise<{ status: number; body: { code?: string; id?: number } }>)[]
  ): Promise<number> => {
    for (const attempt of attempts) {
      const { status, body } = await attempt()
      if (status < 300) return Number(body.id)
      expect([status, body.code]).toEqual([400, 'invalid_input'])
    }
    throw new Error('plain values were refused')
  }

  const email = `olivia${story}@canary.example`
  addresses.add(email)
  const { organizationName } = values
  const register = async (username: string) =>
    await run('register', { body: { username, email, password, organizationName } })
  const userId = await accepted(
    () => register(values.username),
    () => register(`plain${story}`),
  )
  const olivia = { userId, username: 'olivia', isAdmin: false, email }
  await deliver()
  await db('users').where({ id: userId }).update({ emailVerifiedAt: new Date() })

  await stage.addSubscription(olivia, 3)
  const { name, description, location, address, city, beaconInstructions, promoCode } = values
  const days = { endDate: '2099-03-01' }
  const fields = { name, description, location, address, city, beaconInstructions, promoCode, ...days }
  const create = async (changes: object) => await run('createEvent', { as: olivia, body: eventBody({ ...changes }) })
  const eventId = await accepted(
    () => create(fields),
    () => create(days),
  )
  const customized = await run('customizeEvent', {
    as: olivia,
    params: { eventId },
    body: {
      customBeaconEmailSubject: values.subject,
      customBeaconEmailBody: values.body,
      customQuestions: [values.question],
      showDefaultQuestions: true,
    },
  })
  expect([200, 400]).toContain(customized.status)

  const decide = async (beaconId: number, status: 'approved' | 'rejected') =>
    expect((await run('decideApplication', { as: olivia, params: { beaconId }, body: { status } })).status).toBe(200)
  const tokens = new Map<number, string>()
  const applyWith = async (from: string, typed: Record<string, unknown> = {}) => {
    const answer = await run('applyAsBeacon', { params: { eventId }, body: applicationBody({ ...typed, email: from }) })
    if (answer.status === 201) {
      addresses.add(from.trim())
      tokens.set(answer.body.id, answer.body.token)
    }
    return answer
  }
  const apply = async (from: string) => {
    const { firstName, lastName, company, bio, question } = values
    return await applyWith(from, { firstName, lastName, company, bio, customAnswers: [{ question, answer: bio }] })
  }
  const applicant = async (typed: string, name: string) => {
    const own = `${name}.${story}@canary.example`
    return await accepted(
      () => apply(typed),
      () => apply(own),
      () => applyWith(own),
    )
  }
  const bea = await applicant(values.email, 'bea')
  const ben = await applicant(values.otherEmail, 'ben')
  await deliver(11 * minuteMs)
  // From here on mails may greet them by name.
  await db('applications').whereIn('id', [bea, ben]).update({ linkOpenedAt: clock.now })
  await decide(ben, 'approved')
  await deliver(2 * minuteMs)
  for (const change of ['withdrawApplication', 'applyAgain', 'withdrawApplication'] as const) {
    expect((await run(change, { body: { token: tokens.get(ben) } })).status).toBe(200)
    await deliver(11 * minuteMs)
  }

  const phone = await stage.subscribe(`phone-${story}`, olivia)
  await applicant(`bo.${story}@canary.example`, 'bo')
  await stage.work()

  for (const status of ['approved', 'rejected', 'approved'] as const) {
    await decide(bea, status)
    await deliver(2 * minuteMs)
  }
  const message = async (text: string) =>
    await run('sendMessage', {
      as: olivia,
      params: { id: eventId },
      body: { audience: 'approved', applicationIds: [bea], text },
    })
  await accepted(
    () => message(values.body),
    () => message(values.description.slice(0, 1000)),
  )
  await deliver(2 * minuteMs)
  const edit = async (changes: object) =>
    await run('updateEvent', { as: olivia, params: { id: eventId }, body: eventBody({ ...days, ...changes }) })
  await accepted(
    () => edit({ location: values.newLocation, name }),
    () => edit({ location: 'Dock 3' }),
  )
  await deliver(6 * minuteMs)

  const ada = { userId, username: 'ada', isAdmin: true }
  const reason = values.description.slice(0, longestReason)
  const takeDown = async (why: string) =>
    await run('takeEventDown', { as: ada, params: { id: eventId }, body: { reason: why } })
  await accepted(
    () => takeDown(reason),
    () => takeDown('It is no networking event.'),
  )
  await deliver()
  expect((await run('putEventBack', { as: ada, params: { id: eventId } })).status).toBe(200)

  for (const change of ['cancelEvent', 'reinstateEvent'] as const) {
    expect((await run(change, { as: olivia, params: { id: eventId } })).status).toBe(200)
    await deliver(2 * minuteMs)
  }

  const passwords = { currentPassword: password, password: `${password} still` }
  expect((await run('changePassword', { as: olivia, body: passwords })).status).toBe(204)
  await run('requestPasswordReset', { body: { email } })
  for (const job of await db('jobs').where({ kind: 'password-reset', state: 'waiting' })) {
    await createAccountTasks({ db, now: () => clock.now })['password-reset'](job)
    await db('jobs').where({ id: job.id }).update({ state: 'done' })
  }
  const newEmail = `new.${story}@canary.example`
  addresses.add(newEmail)
  await run('requestEmailChange', { as: olivia, body: { email: newEmail, password: passwords.password } })
  const leaving = { as: olivia, body: { password: passwords.password } }
  expect((await run('requestAccountDeletion', leaving)).status).toBe(200)
  await deliver()
  expect((await run('keepAccount', leaving)).status).toBe(204)
  await deliver()

  const closing = { as: { ...(await stage.addPerson(`Admin${story}`)), isAdmin: true }, params: { id: userId } }
  expect((await run('closeAccount', closing)).status).toBe(204)
  await deliver()
  expect((await run('reopenAccount', closing)).status).toBe(204)

  const present = clock.now
  clock.now = dayOfTheEvent
  await queueReminders(db, dayOfTheEvent)
  await deliver()
  expect((await run('deleteEvent', { as: olivia, params: { id: eventId } })).status).toBe(204)
  await deliver()
  clock.now = present
  return { mails, pushes: stage.messagesTo(phone).map((message) => JSON.stringify(message)), addresses }
}
