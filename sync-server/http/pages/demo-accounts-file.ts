import type Koa from 'koa'

export interface DemoAccount {
  readonly role: string
  readonly email: string
  readonly password: string
}

/** `/demo-accounts.json`: who may be tried on a demo server; 404 on any other. Not part of the API: no client needs it. */
export function demoAccountsFile(accounts: readonly DemoAccount[]): Koa.Middleware {
  return async (ctx, next) => {
    if (ctx.path !== '/demo-accounts.json') return await next()
    ctx.set('Cache-Control', 'no-store')
    if (accounts.length > 0) ctx.body = accounts
    else ctx.status = 404
  }
}
