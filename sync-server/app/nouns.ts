import type { Knex } from 'knex'
import { accountHandlers } from '../accounts/account-handlers.ts'
import { accountLinkHandlers } from '../accounts/account-link-handlers.ts'
import {
  writeAccountClosed,
  writeAccountDeletion,
  writeEmailChanged,
  writePasswordChanged,
  writePasswordReset,
  writeVerifyEmail,
} from '../accounts/mails/email-and-password.ts'
import type { Passwords } from '../accounts/passwords.ts'
import { sessionHandlers } from '../accounts/session-handlers.ts'
import { adminHandlers } from '../admin/admin-handlers.ts'
import { adminAccountHandlers } from '../admin/admin-account-handlers.ts'
import { adminEventHandlers } from '../admin/admin-event-handlers.ts'
import { browserErrorHandlers } from '../admin/browser-error-handlers.ts'
import { promoCodeHandlers } from '../admin/promo-code-handlers.ts'
import { siteHandlers } from '../admin/site-handlers.ts'
import { seriesHandlers } from '../admin/series-handlers.ts'
import { writeEventTakenDown } from '../admin/taken-down-mail.ts'
import { deviceHandlers } from '../alerts/device-handlers.ts'
import type { PushTaskDeps } from '../alerts/send-push.ts'
import { quietAlertKind, testAlertKind } from '../alerts/waiting-alerts.ts'
import {
  beaconNewsKind,
  gatherBeaconNews,
  sendBeaconNews,
  sendBeaconNewsKind,
} from '../applications/alerts/beacon-news.ts'
import { decisionPushKind, gatherNews, newsKind, sendNews } from '../applications/alerts/decision-news.ts'
import {
  alertKind,
  gatherAlerts,
  gatheringKind,
  sendAlert,
  sendTestAlert,
} from '../applications/alerts/new-application-alerts.ts'
import { applicationHandlers } from '../applications/application-handlers.ts'
import { changesOfApplications } from '../applications/application-presenter.ts'
import { writeAcknowledgement } from '../applications/mails/acknowledgement.ts'
import { writeDecision } from '../applications/mails/decision.ts'
import { writeEventCancelled, writeEventChanged, writeEventReinstated } from '../applications/mails/event-mails.ts'
import { mailHandlers } from '../applications/mails/mail-handlers.ts'
import { messageHandlers } from '../applications/message-handlers.ts'
import {
  gatherMessagePushes,
  messagePushKind,
  sendMessagePush,
  sendMessagePushKind,
} from '../applications/alerts/message-news.ts'
import { mailLogHandlers } from '../applications/mails/mail-log-handlers.ts'
import { writeBeaconNews, writeNewApplications } from '../applications/mails/organizer-mails.ts'
import { writeMessage } from '../applications/mails/message.ts'
import { writeReminder } from '../applications/mails/reminders.ts'
import { applicantPhoneHandlers, ownApplicationHandlers } from '../applications/own-page-handlers.ts'
import { accountChange } from '../billing/account-document.ts'
import { billingHandlers } from '../billing/billing-handlers.ts'
import type { PaymentService } from '../billing/payment-service.ts'
import type { Handlers, ShowTo } from '../calls/handler.ts'
import { keyOfTouched, type PresentTouched, type Touched } from '../calls/touched.ts'
import { analyticsHandlers } from '../events/analytics-handlers.ts'
import { cancellationHandlers } from '../events/cancellation-handlers.ts'
import { eventHandlers } from '../events/event-handlers.ts'
import { changesOfEvents } from '../events/event-presenter.ts'
import { type Change, recordChanges } from '../feed/change-feed.ts'
import { describeApi } from '../http/pages/server-files.ts'
import type { Tasks } from '../jobs/worker.ts'
import type { MailRenderers } from '../mail/mail-message.ts'
import type { MailTransport } from '../mail/mail-transport.ts'
import { personalDataHandlers } from '../personal-data/personal-data-handlers.ts'
import { createPull } from '../sync/pull-handler.ts'
import { getSyncSummary } from '../sync/summary-handler.ts'
import { doorDocument } from '../team/door-view.ts'
import { teamHandlers } from '../team/team-handlers.ts'
import { cancelMutation, cancelMutations } from '../sync/replay-handler.ts'

export interface HandlerDeps {
  readonly passwords: Passwords
  readonly mail: MailTransport
  /** It is null where no card is ever charged. */
  readonly payments: PaymentService | null
}

export function createHandlers({ passwords, mail, payments }: HandlerDeps): Handlers {
  return {
    ...accountHandlers(passwords),
    ...accountLinkHandlers(passwords),
    ...personalDataHandlers(passwords),
    ...sessionHandlers,
    ...mailHandlers(mail),
    ...mailLogHandlers,
    ...messageHandlers,
    ...adminHandlers,
    ...adminAccountHandlers,
    ...adminEventHandlers,
    ...browserErrorHandlers,
    ...seriesHandlers,
    ...siteHandlers,
    ...promoCodeHandlers,
    ...billingHandlers(payments),
    ...eventHandlers,
    ...cancellationHandlers,
    ...analyticsHandlers,
    ...applicationHandlers,
    ...ownApplicationHandlers,
    ...deviceHandlers,
    ...teamHandlers,
    ...applicantPhoneHandlers,
    pull: createPull(showTo),
    getSyncSummary,
    cancelMutation,
    cancelMutations,
    describeApi,
  }
}

export const mailRenderers: MailRenderers = {
  acknowledgement: writeAcknowledgement,
  decision: writeDecision,
  'event-changed': writeEventChanged,
  'event-cancelled': writeEventCancelled,
  'event-reinstated': writeEventReinstated,
  'event-taken-down': writeEventTakenDown,
  reminder: writeReminder,
  'new-applications': writeNewApplications,
  'beacon-news': writeBeaconNews,
  message: writeMessage,
  'password-reset': writePasswordReset,
  'verify-email': writeVerifyEmail,
  'email-changed': writeEmailChanged,
  'password-changed': writePasswordChanged,
  'account-deletion': writeAccountDeletion,
  'account-closed': writeAccountClosed,
}

type Owned = Exclude<Touched, { readonly what: 'account' }>

export const presentTouched: PresentTouched = async (trx, touched, now) => {
  const last = new Map(touched.map((one) => [keyOfTouched(one), one]))
  const found = new Map<string, readonly Change[]>()
  for (const [key, one] of last) if (one.what !== 'account' && one.changes) found.set(key, one.changes)
  const kinds = (what: Owned['what']) =>
    [...last.values()].filter((one): one is Owned => one.what === what && !found.has(keyOfTouched(one)))
  const keep = (what: Touched['what'], changes: ReadonlyMap<number, readonly Change[]>) => {
    for (const [id, list] of changes) found.set(keyOfTouched({ what, id } as Touched), list)
  }
  // Users are locked before the feed's scopes, by id.
  const users = new Set(touched.flatMap(({ what, id }) => (what === 'account' ? [id] : [])))
  for (const id of [...users].sort((one, other) => one - other)) {
    keep('account', new Map([[id, [await accountChange(trx, id, now)]]]))
  }
  keep('application', await changesOfApplications(trx, kinds('application')))
  keep('event', await changesOfEvents(trx, kinds('event')))
  keep('opening', await changesOfEvents(trx, kinds('opening'), { isForOrganizer: false }))
  return touched.map((one) => found.get(keyOfTouched(one)) ?? [])
}

export const showTo: ShowTo = (caller, collection, document) =>
  caller?.role === 'door' ? doorDocument(collection, document) : document

/** Runs after seeding or a restore, within the transaction that wrote the rows. */
export async function publishEverything(trx: Knex.Transaction, now = new Date()): Promise<void> {
  const users = await trx('users').orderBy('id').select('id')
  const events = await trx('events').orderBy('id').select('id', 'organizerId')
  const applications: { id: number; organizerId: number }[] = await trx('applications as a')
    .join('events as e', 'e.id', 'a.eventId')
    .orderBy('a.id')
    .select('a.id', 'e.organizerId')
  const everything: Touched[] = [
    ...users.map(({ id }) => ({ what: 'account' as const, id })),
    ...events.map((row) => ({ what: 'event' as const, id: row.id, organizerId: row.organizerId })),
    ...applications.map((row) => ({ what: 'application' as const, id: row.id, organizerId: row.organizerId })),
  ]
  const changes = (await presentTouched(trx, everything, now)).flat()
  await recordChanges(
    trx,
    changes.map((change) => ({ ...change, isNews: false })),
  )
}

/** Gathering and sending are separate jobs, so that a failed try is repeated for its device alone. */
export function createPushTasks(deps: PushTaskDeps): Tasks {
  return {
    [gatheringKind]: gatherAlerts(deps),
    [alertKind]: sendAlert(deps),
    [quietAlertKind]: sendAlert(deps),
    [testAlertKind]: sendTestAlert(deps),
    [beaconNewsKind]: gatherBeaconNews(deps),
    [sendBeaconNewsKind]: sendBeaconNews(deps),
    [decisionPushKind]: gatherNews(deps),
    [newsKind]: sendNews(deps),
    [messagePushKind]: gatherMessagePushes(deps),
    [sendMessagePushKind]: sendMessagePush(deps),
  }
}
