import type Koa from 'koa'

/** `isHttps` says whether people reach the server by https. */
export function securityHeaders(isHttps: boolean): Koa.Middleware {
  return async (ctx, next) => {
    ctx.set({
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'strict-origin-when-cross-origin',
      'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Permissions-Policy': 'camera=(self), geolocation=(), microphone=(), payment=(self), usb=()',
      // For answers of the API; pages get their policy from static-files.
      'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
      ...(isHttps ? { 'Strict-Transport-Security': 'max-age=31536000; includeSubDomains' } : {}),
    })
    await next()
  }
}

type Policy = Readonly<Record<string, readonly string[]>>

const written = (policy: Policy) =>
  Object.entries(policy)
    .map(([directive, sources]) => `${directive} ${sources.join(' ')}`)
    .join('; ')

const ours = (scriptHashes: readonly string[]) =>
  ({
    'default-src': ["'none'"],
    'script-src': ["'self'", ...scriptHashes.map((hash) => `'${hash}'`)],
    'style-src': ["'self'"],
    'img-src': ["'self'", 'data:'],
    'font-src': ["'self'"],
    'connect-src': ["'self'"],
    'manifest-src': ["'self'"],
    'worker-src': ["'self'"],
    'form-action': ["'self'"],
    'base-uri': ["'none'"],
    'object-src': ["'none'"],
    'frame-ancestors': ["'none'"],
  }) as const satisfies Policy

export function pagePolicy(scriptHashes: readonly string[]): string {
  return written(ours(scriptHashes))
}

/** Stripe's security guide lists these for cards. */
const stripeScripts = ['https://js.stripe.com', 'https://*.js.stripe.com']

/** `standIn` is the origin of a stand-in for Stripe on this machine. */
export function checkoutPolicy(scriptHashes: readonly string[], standIn: string | null = null): string {
  const app = ours(scriptHashes)
  const also = standIn === null ? [] : [standIn]
  return written({
    ...app,
    'script-src': [...app['script-src'], ...stripeScripts, ...also],
    'connect-src': [...app['connect-src'], 'https://api.stripe.com', ...also],
    'frame-src': [...stripeScripts, 'https://hooks.stripe.com', ...also],
  })
}

/** A service worker obeys its own script's headers: it may fetch from us only. */
export const workerPolicy = "default-src 'none'; script-src 'self'; connect-src 'self'; frame-ancestors 'none'"
