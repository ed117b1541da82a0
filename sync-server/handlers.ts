import { accountHandlers } from './accounts/account-handlers.ts'
import type { Passwords } from './accounts/passwords.ts'
import { applicationHandlers } from './applications/application-handlers.ts'
import { ownApplicationHandlers } from './applications/own-application.ts'
import { billingHandlers } from './billing/billing-handlers.ts'
import { deviceHandlers } from './devices/device-handlers.ts'
import { eventHandlers } from './events/event-handlers.ts'
import type { Handlers, Room } from './http/handler.ts'

export interface HandlerDeps {
  readonly passwords: Passwords
  /** The calls about the change feed and the table itself. */
  readonly replication: Room<'pull' | 'cancelMutation' | 'describeApi'>
}

/** Every handler of the table. */
export function createHandlers({ passwords, replication }: HandlerDeps): Handlers {
  return {
    ...accountHandlers(passwords),
    ...billingHandlers,
    ...eventHandlers,
    ...applicationHandlers,
    ...ownApplicationHandlers,
    ...deviceHandlers,
    ...replication,
  }
}
