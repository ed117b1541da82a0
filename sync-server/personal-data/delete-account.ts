import { randomBytes } from 'node:crypto'
import type { Knex } from 'knex'
import type { UserRow } from '../db/rows/account-rows.ts'
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

/** A lot of applications is small enough that nobody who waits for its event waits for long. */
const atOnce = 500

interface Step {
  readonly isDone: boolean
  readonly events?: number
  readonly applications?: number
  readonly keptPayments?: number
  readonly stripeCustomerId?: string | null
}

/**
 * Takes all steps, each in a transaction of its own, or within the caller's. Where cards were charged, an empty row stays
 * for the payments, which the law wants kept. What is left of a deletion that stops is finished by the clean-up. Throws
 * when there is no such account.
 */
export async function deleteAccount(db: Knex, userId: number, deletion: AccountDeletion): Promise<DeletedAccount> {
  const deleted = { events: 0, applications: 0, keptPayments: 0, stripeCustomerId: null as string | null }
  for (;;) {
    const step = await db.transaction(async (trx) => await takeStep(trx, await getUser(trx, userId), deletion))
    deleted.events += step.events ?? 0
    deleted.applications += step.applications ?? 0
    deleted.keptPayments += step.keptPayments ?? 0
    deleted.stripeCustomerId ??= step.stripeCustomerId ?? null
    if (step.isDone) return deleted
  }
}

async function getUser(trx: Knex, userId: number): Promise<UserRow> {
  const user = await lockUser(trx, userId)
  if (!user) throw new Error(`There is no account ${userId}`)
  return user
}

/** The caller holds the user's row. The feed is locked at the end. */
async function takeStep(trx: Knex.Transaction, user: UserRow, deletion: AccountDeletion): Promise<Step> {
  if (user.passwordHash !== deletedPassword) return await beginDeletion(trx, user, deletion)
  return (await deleteApplicationsOf(trx, user.id, deletion)) ?? (await endDeletion(trx, user))
}

/** From here on nothing of the person can be reached any more, and their row holds nothing about them. */
async function beginDeletion(
  trx: Knex.Transaction,
  user: UserRow,
  { now, requestId = 'command' }: AccountDeletion,
): Promise<Step> {
  const userId = user.id
  await revokeSessions(trx, { userId }, now)
  const changes = [...(await hideEvents(trx, userId)), ...(await forgetMember(trx, userId))]
  await forgetMails(trx, { userId })
  await trx('jobs').where({ kind: 'password-reset' }).whereRaw(`(payload->>'userId')::bigint = ?`, [userId]).del()
  await forgetInJobs(trx, user.email)
  const memberIds = await listMemberIds(trx, userId)
  await trx('team_members').where({ organizerId: userId }).orWhere({ userId }).del()
  await trx('team_invitations').where({ organizerId: userId }).del()
  await emptyUser(trx, user, now)
  await trx('audit_log').insert({ userId, route: 'deleteAccount', status: 204, requestId })
  for (const id of memberIds) changes.push(await accountChange(trx, id, now))
  await recordChanges(trx, [...changes, ...(await endScopes(trx, [`account:${userId}`]))])
  return { isDone: false, stripeCustomerId: user.stripeCustomerId }
}

/** The public sees neither them nor their Beacons. */
async function hideEvents(trx: Knex, organizerId: number): Promise<Change[]> {
  const events: number[] = await trx('events').where({ organizerId }).pluck('id')
  const beacons: number[] = await trx('applications')
    .whereIn('eventId', trx('events').where({ organizerId }).select('id'))
    .where({ status: 'approved' })
    .pluck('id')
  const hidden = (collection: 'events' | 'beacons') => (id: number) =>
    ({ scope: 'public', collection, docId: String(id), document: null }) as const
  return [...events.map(hidden('events')), ...beacons.map(hidden('beacons'))]
}

/** The reasons of jobs that failed may name an address. */
export async function forgetInJobs(trx: Knex, address: string): Promise<void> {
  await trx('jobs')
    .whereNotNull('lastError')
    .whereRaw('position(lower(?) in lower(last_error)) > 0', [address])
    .update({ lastError: null })
}

/** They refer to an account, and go with its row where that goes. */
const personalTables = ['sessions', 'known_browsers', 'failed_sign_ins', 'account_links', 'push_subscriptions'] as const

/** The clean-up finds by `deletes_at` what is not finished. */
async function emptyUser(trx: Knex, { id, deletesAt }: UserRow, now: Date): Promise<void> {
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
      deletesAt: deletesAt !== null && deletesAt <= now ? deletesAt : now,
    })
}

/**
 * Deletes some of the first event's applications, and the event with the last of them. The event is locked before its
 * applications, as every change locks them. It counts as cancelled as soon as those who rely on it were told. Answers
 * undefined when there is no event any more.
 */
async function deleteApplicationsOf(
  trx: Knex.Transaction,
  organizerId: number,
  { now, tellApplicants }: AccountDeletion,
): Promise<Step | undefined> {
  const event = await trx('events').where({ organizerId }).orderBy('id').forUpdate().first()
  if (!event) return undefined
  if (tellApplicants) await queueCancellationMails(trx, event, { now, again: false })
  const ids: number[] = await trx('applications').where({ eventId: event.id }).orderBy('id').limit(atOnce).pluck('id')
  const isLast = ids.length < atOnce
  await forgetMails(trx, isLast ? { eventId: event.id, applicationIds: ids } : { applicationIds: ids })
  await trx('applications').whereIn('id', ids).del()
  if (isLast) await trx('events').where({ id: event.id }).del()
  else
    await trx('events')
      .where({ id: event.id })
      .update({ cancelledAt: event.cancelledAt ?? now })
  const owned = (id: number) => ({ id, organizerId })
  const changes = [
    ...(isLast ? await changesOfEvents(trx, [owned(event.id)]) : new Map<number, Change[]>()).values(),
    ...(await changesOfApplications(trx, ids.map(owned))).values(),
  ].flat()
  await recordChanges(trx, changes)
  return { isDone: false, events: isLast ? 1 : 0, applications: ids.length }
}

async function endDeletion(trx: Knex.Transaction, { id }: UserRow): Promise<Step> {
  const paid = await trx('payments').where({ userId: id, provider: 'stripe' }).select('id')
  if (paid.length === 0) await trx('users').where({ id }).del()
  else await trx('users').where({ id }).update({ deletesAt: null })
  await recordChanges(trx, await endScopes(trx, [`org:${id}`]))
  return { isDone: true, keptPayments: paid.length }
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

/** Takes a step of the first account that is due; two servers take turns. Counts the accounts that are gone. */
export const deleteDueAccounts = inLots(async (db, now) => {
  const due = await db('users').where('deletesAt', '<=', now).orderBy('id').first('id')
  if (!due) return undefined
  return await db.transaction(async (trx) => {
    const user = await lockUser(trx, due.id)
    // Its owner has kept it by now, or another process has deleted it.
    if (!user?.deletesAt || user.deletesAt > now) return 0
    if (user.passwordHash !== deletedPassword) {
      await mailAccountDeletion(trx, user, { step: 'done', deletesAt: user.deletesAt })
      if (user.stripeCustomerId !== null) await queueCustomerDeletion(trx, user.stripeCustomerId)
    }
    const { isDone } = await takeStep(trx, user, { now, tellApplicants: true, requestId: 'grace' })
    return isDone ? 1 : 0
  })
})
