import type Koa from 'koa'
import { describeRoutes } from '#shared/api/openapi.ts'
import type { Make } from '../../calls/handler.ts'
import { planAddress } from '#shared/site/pages.ts'
import { sessionCookieName } from '../session-cookies.ts'

const texts = new Map<string, string>()

/** The description is made once per origin. */
export const describeApi: Make<'describeApi'> = async ({ config: { publicOrigin } }) => {
  const cookie = sessionCookieName(publicOrigin)
  const jsonText = texts.get(publicOrigin) ?? JSON.stringify(describeRoutes({ origin: publicOrigin, cookie }))
  texts.set(publicOrigin, jsonText)
  return { jsonText }
}

export interface DemoAccount {
  readonly role: string
  readonly email: string
  readonly password: string
}

/** Answers `/demo-accounts.json`, and 404 outside a demo. It is not part of the API, because no client needs it. */
export function demoAccountsFile(accounts: readonly DemoAccount[]): Koa.Middleware {
  return async (ctx, next) => {
    if (ctx.path !== '/demo-accounts.json') return await next()
    ctx.set('Cache-Control', 'no-store')
    if (accounts.length > 0) ctx.body = accounts
    else ctx.status = 404
  }
}

/** Where there are no plans, an address about them that was kept somewhere leads to the dashboard. */
export const plansToDashboard: Koa.Middleware = async (ctx, next) => {
  if (planAddress.test(ctx.path)) ctx.redirect('/dashboard')
  else await next()
}

const DAY_MS = 86_400_000

/**
 * Answers `/.well-known/security.txt` (RFC 9116), and 404 without a contact. It is written per request, so that its
 * expiry, at most a year away by the RFC's advice, stays ahead.
 */
export function securityText(contact: string | null, publicOrigin: string, now: () => Date): Koa.Middleware {
  const path = '/.well-known/security.txt'
  return async (ctx, next) => {
    if (contact === null || ctx.path !== path || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return await next()
    const expiresAt = new Date(now().getTime() + 180 * DAY_MS)
    ctx.type = 'text/plain; charset=utf-8'
    ctx.set('Cache-Control', 'public, max-age=86400')
    ctx.body = [
      `Contact: ${contact}`,
      `Expires: ${expiresAt.toISOString().slice(0, 19)}Z`,
      'Preferred-Languages: en',
      `Canonical: ${publicOrigin}${path}`,
      '',
    ].join('\n')
  }
}
