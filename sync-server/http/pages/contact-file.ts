import type Koa from 'koa'
import type { Config } from '../../config.ts'

/**
 * `/contact.json`: whom people may write to about this server, `{"email": null}` where nobody is named. Not part of the
 * API: only the contact page needs it. A file of its own, because the page itself comes from the device's own copy.
 */
export function contactFile({ contactEmail }: Pick<Config, 'contactEmail'>): Koa.Middleware {
  return async (ctx, next) => {
    if (ctx.path !== '/contact.json') return await next()
    ctx.set('Cache-Control', 'no-cache')
    ctx.body = { email: contactEmail }
  }
}
