import type { Knex } from 'knex'
import { mailKinds } from '#shared/mail/mail.ts'
import { issueLink } from '../../../sync-server/accounts/account-links.ts'
import { seedDemo } from '../../../sync-server/db/seeds/seed-demo.ts'
import type { MailRow } from '../../../sync-server/db/rows/message-rows.ts'
import { mailRenderers, publishEverything } from '../../../sync-server/app/nouns.ts'
import { calendarEventOf, startOf, whenAndWhereOf } from '../../../sync-server/events/mails/event-in-mail.ts'
import type { MailMessage } from '../../../sync-server/mail/mail-content.ts'
import { composeMail } from '../../../sync-server/mail/mail-message.ts'
import { type NewMail, queueMails } from '../../../sync-server/mail/mail-store.ts'
import { busiestEvent } from '../applications/applicants.ts'

/** A mail of the demo as it would leave. */
export interface WrittenMail {
  readonly name: string
  readonly message: MailMessage
}

const publicOrigin = 'https://beaconry.example'

/** Fills the database with the demo and writes one mail of every kind about its busiest event, by what writes the real ones. */
export async function writeMails(db: Knex): Promise<WrittenMail[]> {
  await seedDemo(db, new Date(), publishEverything)
  const { eventId, approved, pending } = await busiestEvent(db)
  const event = await db('events').where({ id: eventId }).first()
  const [beacon] = approved
  const [applicant] = pending
  if (!event || !beacon || !applicant) throw new Error('the demo has too few people')
  const now = new Date()
  const kinds = new Set<string>()
  const write = async (name: string, mail: Omit<NewMail, 'key' | 'to'>, changes: Partial<MailRow> = {}) => {
    const to = { name: beacon.name, address: beacon.email }
    kinds.add(mail.kind)
    await queueMails(db, [{ ...mail, key: `look:${name}`, to }])
    const row = await db('mails')
      .where({ key: `look:${name}` })
      .first()
    const site = { publicOrigin, now, greetedAs: to.name }
    const content = row && (await mailRenderers[mail.kind](db, { ...row, ...changes }, site))
    if (!content) throw new Error(`nobody writes ${name}`)
    // What a mail tells depends on those before it.
    await db('mails').where({ id: row.id }).del()
    return { name, message: composeMail({ ...content, to }, publicOrigin) }
  }
  const about = { eventId, applicationId: beacon.id }
  const decision = (knownStatus: string, toStatus: string) => ({
    decisionNumber: beacon.decisionNumber,
    knownStatus,
    toStatus,
  })
  const before = {
    ...whenAndWhereOf(event),
    startTime: '17:15',
    location: 'The Old Boathouse',
    address: '9 Quay Street',
  }
  const [message] = await db('messages')
    .insert({
      id: 1,
      eventId,
      applicationIds: [beacon.id],
      audience: 'selected',
      body: 'Hello {{first_name}}, please come to the side door. Lanterns are at the bar.',
      deviceName: null,
      createdAt: now,
      leavesAt: now,
    })
    .returning('id')
  if (!message) throw new Error('A message was not stored')
  const linkId = async (purpose: 'reset' | 'verify') =>
    await issueLink(db, { userId: event.organizerId, purpose, email: 'olivia@example.com' }, now)

  await db('users').where({ id: event.organizerId }).update({ deletesAt: now })
  const takenDown = { takenDownAt: now, takenDownReason: 'It sells tickets to something else.' }
  await db('events').where({ id: eventId }).update(takenDown)
  const mails = [
    await write('acknowledgement', { kind: 'acknowledgement', ...about, payload: {} }),
    await write('approved', { kind: 'decision', ...about, payload: decision('pending', 'approved') }),
    await write('rejected', { kind: 'decision', ...about, payload: decision('pending', 'rejected') }),
    await write('revoked', { kind: 'decision', ...about, payload: decision('approved', 'rejected') }),
    await write('event-changed', { kind: 'event-changed', ...about, payload: { known: before } }),
    await write('event-cancelled', {
      kind: 'event-cancelled',
      payload: { event: calendarEventOf(event), edition: event.edition, knownStatus: 'approved' },
    }),
    await write('event-reinstated', { kind: 'event-reinstated', ...about, payload: { knownStatus: 'approved' } }),
    await write('event-taken-down', { kind: 'event-taken-down', eventId, payload: { takenDownAt: now.toISOString() } }),
    await write('reminder', {
      kind: 'reminder',
      ...about,
      payload: { startsAt: startOf(whenAndWhereOf(event)).toISOString() },
    }),
    await write('message', { kind: 'message', ...about, payload: { messageId: message.id } }),
    await write('new-applications', { kind: 'new-applications', eventId, payload: {} }, { createdAt: new Date(0) }),
    await write('beacon-news', { kind: 'beacon-news', eventId, payload: { withdrawn: [beacon.id], changed: [1, 2] } }),
    await write('password-reset', { kind: 'password-reset', payload: { linkId: await linkId('reset') } }),
    await write('verify-email', { kind: 'verify-email', payload: { linkId: await linkId('verify') } }),
    await write('email-changed', { kind: 'email-changed', userId: event.organizerId, payload: { step: 'asked' } }),
    await write('contact-changed', {
      kind: 'email-changed',
      userId: event.organizerId,
      payload: { step: 'contact-done' },
    }),
    await write('account-deletion', {
      kind: 'account-deletion',
      userId: event.organizerId,
      payload: { step: 'asked' },
    }),
    await write('account-kept', { kind: 'account-deletion', userId: event.organizerId, payload: { step: 'kept' } }),
    await write('password-changed', { kind: 'password-changed', userId: event.organizerId, payload: {} }),
  ]
  // Last, because it hides who the others are from.
  await db('users').where({ id: event.organizerId }).update({ closedAt: now })
  const closedAt = now.toISOString()
  const closed = { kind: 'account-closed', userId: event.organizerId, payload: { closedAt } } as const
  mails.push(await write('account-closed', closed))
  const unwritten = mailKinds.filter((kind) => !kinds.has(kind))
  if (unwritten.length > 0) throw new Error(`nobody would look at mails of the kinds ${unwritten.join(', ')}`)
  return mails
}
