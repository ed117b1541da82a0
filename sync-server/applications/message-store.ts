import type { Knex } from 'knex'
import type { Message } from '#shared/applications/message-calls.ts'
import type { MailKind } from '#shared/mail/mail.ts'
import type { MessageRow } from '../db/rows/message-rows.ts'

export const mailKeyOf = (messageId: number, applicationId: number) => `message:${messageId}:${applicationId}`

export async function findMessage(db: Knex, id: number): Promise<MessageRow | undefined> {
  return await db('messages').where({ id }).first()
}

const shownMessages = 100

export async function listMessagesOf(db: Knex, eventId: number): Promise<MessageRow[]> {
  return await db('messages').where({ eventId }).orderByRaw('created_at desc, id desc').limit(shownMessages)
}

/** One applicant reads this on their own page: what has left, newest first. */
export async function listMessagesTo(
  db: Knex,
  { id, eventId }: { readonly id: number; readonly eventId: number },
  now: Date,
): Promise<MessageRow[]> {
  return await db('messages')
    .where({ eventId, cancelledAt: null })
    .where('leavesAt', '<=', now)
    .whereRaw('application_ids @> array[?::bigint]', [id])
    .orderByRaw('leaves_at desc, id desc')
    .limit(shownMessages)
}

/** Adds what became of each mail. */
export async function presentMessages(db: Knex, rows: readonly MessageRow[]): Promise<Message[]> {
  const keys = rows.flatMap((row) => row.applicationIds.map((id) => mailKeyOf(row.id, Number(id))))
  const mails = await db('mails')
    .where({ kind: 'message' satisfies MailKind })
    .whereRaw('key = any(?::text[])', [keys as unknown as Knex.Value])
    .select('key', 'state')
  const states = new Map(mails.map(({ key, state }) => [key, state]))
  return rows.map(({ id, eventId, audience, body, createdAt, leavesAt, cancelledAt, deviceName, applicationIds }) => ({
    id,
    eventId,
    audience,
    text: body,
    createdAt: createdAt.toISOString(),
    leavesAt: leavesAt.toISOString(),
    cancelledAt: cancelledAt?.toISOString() ?? null,
    device: deviceName,
    recipients: applicationIds.map(Number).map((applicationId) => ({
      applicationId,
      mail: states.get(mailKeyOf(id, applicationId)) ?? null,
    })),
  }))
}
