import { accountLinkRoutes } from '../accounts/account-link-calls.ts'
import { accountRoutes } from '../accounts/account-calls.ts'
import { adminRoutes } from '../admin/admin-calls.ts'
import { adminAccountRoutes } from '../admin/admin-account-calls.ts'
import { adminEventRoutes } from '../admin/admin-event-calls.ts'
import { browserErrorRoutes } from '../admin/browser-error-calls.ts'
import { siteRoutes } from '../admin/site-calls.ts'
import { promoCodeRoutes } from '../admin/promo-code-calls.ts'
import { applicationRoutes } from '../applications/application-calls.ts'
import { billingRoutes } from '../billing/billing-calls.ts'
import { deviceRoutes } from '../alerts/device-calls.ts'
import type { EndpointName } from '../contract/endpoints.ts'
import { analyticsRoutes } from '../events/analytics-calls.ts'
import { eventRoutes } from '../events/event-calls.ts'
import { mailPreferenceRoutes, mailRoutes } from '../mail/mail-calls.ts'
import { ownApplicationRoutes } from '../applications/own-application-calls.ts'
import { replicationRoutes } from '../sync/replication-calls.ts'
import { specOf, type InPath, type RouteSpec, type WrittenRoute } from '../contract/route.ts'
import { seriesRoutes } from '../admin/series-calls.ts'
import { sessionRoutes } from '../accounts/session-calls.ts'

const written = {
  ...accountRoutes,
  ...accountLinkRoutes,
  ...sessionRoutes,
  ...mailRoutes,
  ...mailPreferenceRoutes,
  ...adminRoutes,
  ...adminAccountRoutes,
  ...adminEventRoutes,
  ...browserErrorRoutes,
  ...seriesRoutes,
  ...promoCodeRoutes,
  ...siteRoutes,
  ...eventRoutes,
  ...analyticsRoutes,
  ...applicationRoutes,
  ...ownApplicationRoutes,
  ...billingRoutes,
  ...deviceRoutes,
  ...replicationRoutes,
} as const satisfies { readonly [N in EndpointName]: WrittenRoute }

export type RouteName = keyof typeof written
export type Routes = { readonly [N in RouteName]: (typeof written)[N] & InPath<N> }

/**
 * The contract: handler types, calls, forms, OpenAPI and the security matrix are made from it. An endpoint without a
 * row does not compile.
 */
export const routes = Object.fromEntries(
  Object.entries(written).map(([name, route]) => [name, specOf(name as RouteName, route)]),
) as { readonly [N in RouteName]: Routes[N] & Pick<RouteSpec, 'answer' | 'status' | 'repeatable'> }

export type QueueableRouteName = { [N in RouteName]: Routes[N] extends { queueable: true } ? N : never }[RouteName]
