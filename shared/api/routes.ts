import * as z from 'zod'
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
import { endpoint, type EndpointName, type endpoints } from '../contract/endpoints.ts'
import { analyticsRoutes } from '../events/analytics-calls.ts'
import { eventRoutes, idInPath } from '../events/event-calls.ts'
import { messageRoutes } from '../applications/message-calls.ts'
import { mailRoutes } from '../mail/mail-calls.ts'
import { ownApplicationRoutes } from '../applications/own-application-calls.ts'
import { replicationRoutes } from '../sync/replication-calls.ts'
import type { RouteSpec, WrittenRoute } from '../contract/route.ts'
import { seriesRoutes } from '../admin/series-calls.ts'
import { teamRoutes } from '../team/team-calls.ts'
import { sessionRoutes } from '../accounts/session-calls.ts'

const written = {
  ...accountRoutes,
  ...accountLinkRoutes,
  ...sessionRoutes,
  ...mailRoutes,
  ...messageRoutes,
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
  ...teamRoutes,
  ...replicationRoutes,
} as const satisfies { readonly [N in EndpointName]: WrittenRoute }

type Named<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | Named<Rest> : never
type InPath<N extends EndpointName, Name extends string = Named<(typeof endpoints)[N]>> = [Name] extends [never]
  ? unknown
  : { readonly params: z.ZodObject<Record<Name, typeof idInPath>, z.core.$strict> }

export type RouteName = keyof typeof written
export type Routes = { readonly [N in RouteName]: (typeof written)[N] & InPath<N> }

export const namesInPath = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

function specOf(name: EndpointName, route: WrittenRoute): RouteSpec {
  const { method, path } = endpoint(name)
  const named = namesInPath(path)
  const changes = method !== 'GET' && !route.isUnaudited
  return {
    ...route,
    ...(named.length > 0 ? { params: z.strictObject(Object.fromEntries(named.map((one) => [one, idInPath]))) } : {}),
    answer: route.answer ?? null,
    status: route.status ?? (route.answer ? 200 : 204),
    repeatable: route.queueable || route.isKeyed ? 'key' : changes ? 'naturally' : undefined,
  }
}

/**
 * The contract: handler types, calls, forms, OpenAPI and the security matrix are made from it. An endpoint without a
 * row does not compile.
 */
export const routes = Object.fromEntries(
  Object.entries(written).map(([name, route]) => [name, specOf(name as RouteName, route)]),
) as { readonly [N in RouteName]: Routes[N] & Pick<RouteSpec, 'answer' | 'status' | 'repeatable'> }

export type QueueableRouteName = { [N in RouteName]: Routes[N] extends { queueable: true } ? N : never }[RouteName]
