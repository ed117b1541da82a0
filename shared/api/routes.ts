import { accountLinkRoutes } from './account-links.ts'
import { accountRoutes } from './accounts.ts'
import { adminRoutes } from './admin.ts'
import { applicationRoutes } from './applications.ts'
import { billingRoutes } from './billing.ts'
import { deviceRoutes } from './devices.ts'
import type { EndpointName } from './endpoints.ts'
import { eventRoutes } from './events.ts'
import { mailPreferenceRoutes } from './mail-preferences.ts'
import { mailRoutes } from './mail.ts'
import { ownApplicationRoutes } from './own-application.ts'
import { replicationRoutes } from './replication.ts'
import type { RouteSpec } from './route.ts'
import { sessionRoutes } from './sessions.ts'

/**
 * The contract: every endpoint with what it accepts and answers. Handler types, the page's calls, queued calls, form
 * validation, OpenAPI and the security matrix are made from it. An endpoint without a row here does not compile.
 */
export const routes = {
  ...accountRoutes,
  ...accountLinkRoutes,
  ...sessionRoutes,
  ...mailRoutes,
  ...mailPreferenceRoutes,
  ...adminRoutes,
  ...eventRoutes,
  ...applicationRoutes,
  ...ownApplicationRoutes,
  ...billingRoutes,
  ...deviceRoutes,
  ...replicationRoutes,
} as const satisfies { readonly [N in EndpointName]: RouteSpec }

export type Routes = typeof routes
export type RouteName = keyof Routes

/** The routes that may stand in the outbox. */
export type QueueableRouteName = { [N in RouteName]: Routes[N] extends { queueable: true } ? N : never }[RouteName]
