import { randomBytes } from 'node:crypto'
import type { Knex } from 'knex'
import type { UserRow } from '../db/rows/account-rows.ts'
import type { ApplicationRow } from '../db/rows/application-rows.ts'
import { changesOfApplications } from '../applications/application-presenter.ts'
import { changesOfEvents } from '../events/event-presenter.ts'
import { queueCancellationMails } from '../events/change-mails.ts'
import { revokeSessions } from '../http/session-cookies.ts'
import { inLots } from '../db/lots.ts'
import { forgetMails } from '../mail/mail-store.ts'
import { recordChanges, type Change, type FeedScope } from '../feed/change-feed.ts'
import { mailAccountDeletion } from '../accounts/account-mails.ts'
import { deletedPassword, lockUser } from '../accounts/user-store.ts'
import { accountChange } from '../billing/account-document.ts'
import { listMemberIds } from '../team/team-store.ts'
import { queueCustomerDeletion } from '../billing/delete-customer.ts'
import { forgetMember } from './forget-member.ts'

export interface AccountDeletion {
  readonly now: Date
  /** Mails those who still count on an event that it is cancelled. */
  readonly tellApplicants: boolean
  /** The audit log names it. */
  readonly requestId?: string
}

export interface DeletedAccount {
  readonly events: number
  readonly applications: number
  /** Counts card payments that are kept for the bookkeeping, without a name. */
  readonly keptPayments: number
  /** The operator has to delete it at the provider. */
  readonly stripeCustomerId: string | null
}

/**
 * Runs in the caller's transaction. Where cards were charged, an empty row stays for the payments, which the law wants
 * kept. Locks the change feed, so it belongs at the transaction's end. Throws when there is no such account.
 */
export async function deleteAccount(
  trx: Knex.Transaction,
  userId: number,
  { now, tellApplicants, requestId = 'command' }: AccountDeletion,
): Promise<DeletedAccount> {
  const user = await lockUser(trx, userId)
  if (!user) throw new Error(`There is no account ${userId}`)
  const { changes, events, applications } = await deleteEvents(trx, userId, { now, tellApplicants })
  await revokeSessions(trx, { userId }, now)
  changes.push(...(await forgetMember(trx, userId)))
  await forgetMails(trx, { userId })
  await trx('jobs').where({ kind: 'password-reset' }).whereRaw(`(payload->>'userId')::int = ?`, [userId]).del()
  await trx('jobs').whereRaw('position(lower(?) in lower(last_error)) > 0', [user.email]).update({ lastError: null })
  const memberIds = await listMemberIds(trx, userId)
  await trx('team_members').where({ organizerId: userId }).orWhere({ userId }).del()
  await trx('team_invitations').where({ organizerId: userId }).del()
  const keptPayments = await deleteUser(trx, user, now)
  await trx('audit_log').insert({ userId, route: 'deleteAccount', status: 204, requestId })
  for (const id of memberIds) changes.push(await accountChange(trx, id, now))
  await recordChanges(trx, [...changes, ...(await endScopes(trx, [`org:${userId}`, `account:${userId}`]))])
  return { events, applications: applications.length, keptPayments, stripeCustomerId: user.stripeCustomerId }
}

async function deleteEvents(
  trx: Knex.Transaction,
  userId: number,
  { now, tellApplicants }: AccountDeletion,
): Promise<{ changes: Change[]; events: number; applications: Pick<ApplicationRow, 'id' | 'eventId'>[] }> {
  const applications: Pick<ApplicationRow, 'id' | 'eventId'>[] = []
  // Events are locked one by one in the order of their ids, each before its applications, as every change locks them.
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

/** They refer to an account, and go with its row where that goes. */
const personalTables = ['sessions', 'known_browsers', 'failed_sign_ins', 'account_links', 'push_subscriptions'] as const

/** Emptied where card payments hang on it; answers how many. */
async function deleteUser(trx: Knex.Transaction, { id }: UserRow, now: Date): Promise<number> {
  const paid = await trx('payments').where({ userId: id, provider: 'stripe' }).select('id')
  if (paid.length === 0) {
    await trx('users').where({ id }).del()
    return 0
  }
  for (const table of personalTables) await trx(table).where({ userId: id }).del()
  const name = `deleted-${id}-${randomBytes(6).toString('hex')}`
  await trx('users')
    .where({ id })
    .update({
      username: name,
      // No mail reaches this domain (RFC 2606).
      email: `${name}@deleted.invalid`,
      passwordHash: deletedPassword,
      organizationName: null,
      contactEmail: null,
      stripeCustomerId: null,
      isAdmin: false,
      emailVerifiedAt: null,
      passwordChangedAt: null,
      mailNewApplications: false,
      closedAt: now,
      deletesAt: null,
    })
  return paid.length
}

async function endScopes(trx: Knex.Transaction, scopes: readonly FeedScope[]): Promise<Change[]> {
  const told = await trx('sync_log').whereIn('scope', scopes).where({ deleted: false })
  return told.map(({ scope, collection, docId }) => ({
    scope: scope as FeedScope,
    collection: collection as Change['collection'],
    docId,
    document: null,
  }))
}

/** Deletes each in a transaction of its own. */
export const deleteDueAccounts = inLots(async (db, now) => {
  const due = await db('users').where('deletesAt', '<=', now).orderBy('id').first('id')
  if (!due) return undefined
  return (await db.transaction((trx) => deleteIfDue(trx, due.id, now))) ? 1 : 0
})

async function deleteIfDue(trx: Knex.Transaction, userId: number, now: Date): Promise<boolean> {
  const user = await lockUser(trx, userId)
  // Its owner has kept it by now, or another process has deleted it.
  if (!user?.deletesAt || user.deletesAt > now) return false
  await mailAccountDeletion(trx, user, { step: 'done', deletesAt: user.deletesAt })
  if (user.stripeCustomerId !== null) await queueCustomerDeletion(trx, user.stripeCustomerId)
  await deleteAccount(trx, userId, { now, tellApplicants: true, requestId: 'grace' })
  return true
}
