import type Koa from 'koa'

const DAY_MS = 86_400_000

/**
 * `/.well-known/security.txt` (RFC 9116): where to report a weakness. 404 without a contact. It is written when it is
 * asked for, so that the day it expires, at most a year away by the RFC's advice, is always to come.
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
