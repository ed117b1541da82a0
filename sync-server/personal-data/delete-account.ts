import { randomBytes } from 'node:crypto'
import type { Knex } from 'knex'
import type { UserRow } from '../db/rows/account-rows.ts'
import type { ApplicationRow } from '../db/rows/application-rows.ts'
import { changesOfApplications } from '../applications/application-presenter.ts'
import { changesOfEvents } from '../events/event-presenter.ts'
import { queueCancellationMails } from '../events/event-mails.ts'
import { forgetAnswers } from '../calls/forget-answers.ts'
import { revokeSessions } from '../http/session.ts'
import { forgetMails } from '../mail/mail-store.ts'
import { recordChanges, type Change, type FeedScope } from '../feed/change-feed.ts'
import { lockUser } from '../accounts/user-store.ts'

export interface AccountDeletion {
  readonly now: Date
  /** Whether those who still count on an event of theirs are told by mail that it will not take place. */
  readonly tellApplicants: boolean
}

export interface DeletedAccount {
  readonly events: number
  readonly applications: number
  /** Payments by card, which bookkeeping has to keep: under a number, without a name. */
  readonly keptPayments: number
  /** What the payment provider calls them; deleting it there is up to the operator. */
  readonly stripeCustomerId: string | null
}

/**
 * Deletes an account with everything it has, in the caller's transaction: events with their applications, sessions,
 * devices, links, mails, stored answers, and what every device and the public knows of it. Where cards were charged, an
 * empty row stays under the account's number, because payments hang on it that the law wants kept and that may still be
 * refunded; it admits no sign-in. The audit keeps the number alone. Takes the locks of the change feed, so it
 * belongs at the end of a transaction. Throws when there is no such account.
 */
export async function deleteAccount(
  trx: Knex.Transaction,
  userId: number,
  { now, tellApplicants }: AccountDeletion,
): Promise<DeletedAccount> {
  const user = await lockUser(trx, userId)
  if (!user) throw new Error(`There is no account ${userId}`)
  const { changes, events, applications } = await deleteEvents(trx, userId, { now, tellApplicants })
  await revokeSessions(trx, { userId }, now)
  await forgetMails(trx, { userId })
  await forgetAnswers(trx, { userId, emails: [user.email], applications })
  await trx('jobs').where({ kind: 'password-reset' }).whereRaw(`(payload->>'userId')::int = ?`, [userId]).del()
  await trx('jobs').whereRaw('position(lower(?) in lower(last_error)) > 0', [user.email]).update({ lastError: null })
  const keptPayments = await deleteUser(trx, user, now)
  await trx('audit_log').insert({ userId, route: 'deleteAccount', status: 204, requestId: 'command' })
  await recordChanges(trx, [...changes, ...(await endScopes(trx, [`org:${userId}`, `account:${userId}`]))])
  return { events, applications: applications.length, keptPayments, stripeCustomerId: user.stripeCustomerId }
}

async function deleteEvents(
  trx: Knex.Transaction,
  userId: number,
  { now, tellApplicants }: AccountDeletion,
): Promise<{ changes: Change[]; events: number; applications: Pick<ApplicationRow, 'id' | 'eventId'>[] }> {
  const applications: Pick<ApplicationRow, 'id' | 'eventId'>[] = []
  // Locked one by one in the order of their numbers, each before its applications, as everybody who changes one does.
  const events = await trx('events').where({ organizerId: userId }).orderBy('id').forUpdate()
  for (const event of events) {
    const rows = await trx('applications').where({ eventId: event.id }).orderBy('id').select('id', 'eventId')
    if (tellApplicants) await queueCancellationMails(trx, event, { now, again: false })
    await forgetMails(trx, { eventId: event.id })
    await trx('events').where({ id: event.id }).del()
    applications.push(...rows)
  }
  const owned = ({ id }: { readonly id: number }) => ({ id, organizerId: userId })
  const changes = [
    ...(await changesOfEvents(trx, events.map(owned))).values(),
    ...(await changesOfApplications(trx, applications.map(owned))).values(),
  ].flat()
  return { changes, events: events.length, applications }
}

/** Removes the row, or empties it where payments by card hang on it. Answers how many of those there are. */
async function deleteUser(trx: Knex.Transaction, { id }: UserRow, now: Date): Promise<number> {
  const paid = await trx('payments').where({ userId: id, provider: 'stripe' }).select('id')
  if (paid.length === 0) {
    await trx('users').where({ id }).del()
    return 0
  }
  for (const table of ['sessions', 'account_links', 'push_subscriptions', 'refused_changes'] as const)
    await trx(table).where({ userId: id }).del()
  const name = `deleted-${id}-${randomBytes(6).toString('hex')}`
  await trx('users')
    .where({ id })
    .update({
      username: name,
      // A domain that no mail can ever reach (RFC 2606).
      email: `${name}@deleted.invalid`,
      passwordHash: 'deleted',
      organizationName: null,
      stripeCustomerId: null,
      isAdmin: false,
      emailVerifiedAt: null,
      passwordChangedAt: null,
      mailNewApplications: false,
      closedAt: now,
    })
  return paid.length
}

/** Whatever these scopes still tell, gone. */
async function endScopes(trx: Knex.Transaction, scopes: readonly FeedScope[]): Promise<Change[]> {
  const told = await trx('sync_log').whereIn('scope', scopes).where({ deleted: false })
  return told.map(({ scope, collection, docId }) => ({
    scope: scope as FeedScope,
    collection: collection as Change['collection'],
    docId,
    document: null,
  }))
}
