import { accountLinkHandlers } from '../accounts/account-link-handlers.ts'
import { accountHandlers, mailPreferenceHandlers } from '../accounts/account-handlers.ts'
import type { Passwords } from '../accounts/passwords.ts'
import { sessionHandlers } from '../accounts/session-handlers.ts'
import { adminHandlers } from '../admin/admin-handlers.ts'
import { operationHandlers } from '../admin/operation-handlers.ts'
import { applicationHandlers } from '../applications/application-handlers.ts'
import { ownApplicationHandlers, applicantPhoneHandlers } from '../applications/own-application.ts'
import { billingHandlers } from '../billing/billing-handlers.ts'
import type { PaymentService } from '../billing/payment-service.ts'
import { deviceHandlers } from '../alerts/device-handlers.ts'
import { eventHandlers } from '../events/event-handlers.ts'
import type { Handlers, Room } from '../calls/handler.ts'
import { mailLogHandlers } from '../applications/mails/mail-log-handlers.ts'
import { mailHandlers } from '../applications/mails/mail-handlers.ts'
import type { MailTransport } from '../mail/mail-transport.ts'

export interface HandlerDeps {
  readonly passwords: Passwords
  readonly mail: MailTransport
  /** Who charges cards; null where none ever are. */
  readonly payments: PaymentService | null
  /** The calls about the change feed and the table itself. */
  readonly replication: Room<'pull' | 'cancelMutation' | 'cancelMutations' | 'describeApi'>
}

/** Every handler of the table. */
export function createHandlers({ passwords, mail, payments, replication }: HandlerDeps): Handlers {
  return {
    ...accountHandlers(passwords),
    ...accountLinkHandlers(passwords),
    ...sessionHandlers,
    ...mailPreferenceHandlers,
    ...mailHandlers(mail),
    ...mailLogHandlers,
    ...adminHandlers,
    ...operationHandlers,
    ...billingHandlers(payments),
    ...eventHandlers,
    ...applicationHandlers,
    ...ownApplicationHandlers,
    ...deviceHandlers,
    ...applicantPhoneHandlers,
    ...replication,
  }
}
