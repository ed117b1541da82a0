import { isAddressed, messageHoldMs } from '#shared/applications/message.ts'
import type { Message } from '#shared/applications/message-calls.ts'
import { signedIn } from '../calls/access.ts'
import type { FirstAnswer, HandlerCall, Handlers, Make } from '../calls/handler.ts'
import { ProblemError } from '../calls/problems.ts'
import type { MessageRow } from '../db/rows/message-rows.ts'
import { requireOwner, requireOwnerForChange } from '../events/event-policy.ts'
import { insertJobs } from '../jobs/job-store.ts'
import { cancelMails, queueMails } from '../mail/mail-store.ts'
import { messagePushKind } from './alerts/message-news.ts'
import { findMessage, listMessagesOf, mailKeyOf, presentMessages } from './message-store.ts'
import { newId } from '#shared/record/new-id.ts'

/** People who are not addressed any more, such as those who have answered since, are left out. */
const sendMessage: Make<'sendMessage'> = async (call) => {
  const { db, body, params, now, device } = call
  const event = await requireOwnerForChange(db, call.caller, params.id)
  const id = body.id ?? newId()
  const earlier = await findMessage(db, id)
  if (earlier) {
    if (earlier.eventId !== event.id) throw new ProblemError('already_exists', 'This id is taken.')
    return await presentOne(call, earlier)
  }
  if (event.takenDownAt !== null)
    throw new ProblemError('not_allowed_now', 'This event was taken down. No messages are sent about it.')
  const people = await db('applications')
    .where({ eventId: event.id })
    .whereIn('id', [...new Set(body.applicationIds)])
    .orderBy('id')
  const recipients = people.filter((person) => isAddressed(person, body.audience, event, now))
  if (recipients.length === 0)
    throw new ProblemError('not_allowed_now', 'None of these people is still a Beacon of this event, or waiting.')
  await call.spend('message', `event:${event.id}`)

  const leavesAt = new Date(now.getTime() + messageHoldMs)
  const [row] = await db('messages')
    .insert({
      id,
      eventId: event.id,
      applicationIds: recipients.map((one) => one.id),
      audience: body.audience,
      body: body.text,
      writtenBy: signedIn(call).userId,
      deviceName: device?.name ?? null,
      createdAt: now,
      leavesAt,
    })
    .returning('*')
  if (!row) throw new Error('A message was not stored')
  await queueMails(
    db,
    recipients.map((one) => ({
      kind: 'message',
      key: mailKeyOf(id, one.id),
      to: { name: `${one.firstName} ${one.lastName}`, address: one.email },
      eventId: event.id,
      applicationId: one.id,
      payload: { messageId: id },
      sendAt: leavesAt,
      mayHaveLeft: call.again,
    })),
  )
  if (!call.again)
    await insertJobs(db, [
      { kind: messagePushKind, key: `${messagePushKind}:${id}`, payload: { messageId: id }, runAt: leavesAt },
    ])
  call.touch({ what: 'event', id: event.id, organizerId: event.organizerId })
  return await presentOne(call, row)
}

async function presentOne({ db }: Pick<HandlerCall<'sendMessage'>, 'db'>, row: MessageRow): Promise<Message> {
  const [message] = await presentMessages(db, [row])
  if (!message) throw new Error('A message vanished')
  return message
}

const cancelMessage: Make<'cancelMessage'> = async (call) => {
  const { db, now } = call
  const { organizerId } = signedIn(call)
  const found = await findMessage(db, call.params.id)
  const event = found && (await db('events').where({ id: found.eventId, organizerId }).first('id'))
  if (!event) throw new ProblemError('not_found', 'Message not found')
  await requireOwnerForChange(db, call.caller, event.id)
  const row = (await findMessage(db, found.id)) ?? found
  if (row.cancelledAt !== null) return await presentOne(call, row)
  if (row.leavesAt <= now)
    throw new ProblemError('not_allowed_now', 'This message has already been sent.', {
      current: await presentOne(call, row),
    })
  await cancelMails(
    db,
    row.applicationIds.map((id) => mailKeyOf(row.id, Number(id))),
  )
  await db('messages').where({ id: row.id }).update({ cancelledAt: now })
  call.touch({ what: 'event', id: event.id, organizerId })
  return await presentOne(call, { ...row, cancelledAt: now })
}

const listMessages: Make<'listMessages'> = async ({ db, caller, params, now }) => {
  const { id: eventId } = await requireOwner(db, caller, params.id)
  const devices: { applicationId: number; count: number }[] = await db('applicant_phones as p')
    .join('applications as a', 'a.id', 'p.applicationId')
    .where({ 'a.eventId': eventId })
    .groupBy('p.applicationId')
    .orderBy('p.applicationId')
    .select('p.applicationId', db.raw('count(*)::int as count'))
  return {
    messages: await presentMessages(db, await listMessagesOf(db, eventId)),
    devices,
    at: now.toISOString(),
  }
}

const present = async (
  { db }: HandlerCall<'sendMessage' | 'cancelMessage'>,
  { docId }: FirstAnswer,
): Promise<Message> => {
  const row = docId === null ? undefined : await findMessage(db, docId)
  if (!row) throw new ProblemError('not_found', 'Message not found')
  return await presentOne({ db }, row)
}

export const messageHandlers = {
  sendMessage: { make: sendMessage, present },
  cancelMessage: { make: cancelMessage, present },
  listMessages,
} satisfies Partial<Handlers>
