import { createHmac, timingSafeEqual } from 'node:crypto'
import type Koa from 'koa'
import type { Knex } from 'knex'
import { getInstallationSecret } from '../../db/installation-secret.ts'
import { setMailsAboutApplications } from '../user-store.ts'

const secretName = 'unsubscribe'
const shape = /^(\d{1,9})\.([\w-]{43})$/

/**
 * Turns the mails about new applications off without signing in and does nothing else, so the token may be in a path,
 * as RFC 8058 wants.
 */
export async function unsubscribePath(db: Knex, userId: number): Promise<string> {
  return `/unsubscribe/${userId}.${signature(await getInstallationSecret(db, secretName), userId)}`
}

/** Returns undefined when the token is none of ours. */
async function userOfUnsubscribeToken(db: Knex, token: string): Promise<number | undefined> {
  const [, id, signed] = shape.exec(token) ?? []
  if (id === undefined || signed === undefined) return undefined
  const expected = signature(await getInstallationSecret(db, secretName), Number(id))
  return timingSafeEqual(Buffer.from(signed), Buffer.from(expected)) ? Number(id) : undefined
}

const signature = (secret: string, userId: number) =>
  createHmac('sha256', secret).update(`new-applications:${userId}`).digest('base64url')

const address = /^\/unsubscribe\/([\w.-]{1,80})$/

/**
 * A GET shows a button and changes nothing, because programs follow links before people do; a POST turns the mails off,
 * with or without a session, also from a mail program's button (RFC 8058).
 */
export function unsubscribePage(db: Knex): Koa.Middleware {
  return async (ctx, next) => {
    const token = address.exec(ctx.path)?.[1]
    if (token === undefined) return await next()
    ctx.set({
      'Cache-Control': 'no-store',
      'Content-Security-Policy':
        "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
      'Referrer-Policy': 'no-referrer',
      'X-Robots-Tag': 'noindex',
    })
    ctx.type = 'html'
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD' && ctx.method !== 'POST') {
      ctx.set('Allow', 'GET, HEAD, POST')
      ctx.status = 405
      ctx.body = page('This is not possible here', '')
      return
    }
    const userId = await userOfUnsubscribeToken(db, token)
    const isKnown =
      userId !== undefined && (ctx.method !== 'POST' || (await setMailsAboutApplications(db, userId, false)))
    if (!isKnown) {
      ctx.status = 404
      ctx.body = page(
        'This link does not work',
        `<p>Nothing was changed. You can turn emails about new applications off on your profile.</p>${profileLink}`,
      )
      return
    }
    ctx.body = ctx.method === 'POST' ? done : question
  }
}

const profileLink = '<p><a href="/profile">Open your profile</a></p>'

const look = `:root{color-scheme:light dark;--lamp:#c87500;--page:#f6f3eb;--card:#fefcf9;--line:#e0dacf;--ink:#181f30}
@media (prefers-color-scheme:dark){:root{--lamp:#f8a72a;--page:#0a0e1b;--card:#131928;--line:#2a3143;--ink:#e9e4da}}
body{margin:0;min-height:100dvh;display:grid;place-items:center;background:var(--page);color:var(--ink);font:16px/1.6 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{box-sizing:border-box;width:min(30em,100% - 32px);margin:24px 0;background:var(--card);border:1px solid var(--line);border-radius:16px;padding:28px 24px}
main p.brand{margin:0 0 20px;font-weight:600}.brand span{color:var(--lamp)}h1{margin:0 0 12px;font-size:22px;line-height:1.3}p{margin:0 0 16px}p:last-child{margin:0}
a{color:inherit;display:inline-block;padding:10px 0}
button{font:inherit;font-weight:600;line-height:1.3;min-height:48px;padding:0 24px;border:0;border-radius:10px;background:#f8a72a;color:#131a2b;cursor:pointer}
:focus-visible{outline:3px solid currentColor;outline-offset:3px}`

const page = (title: string, body: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${title} · Beaconry</title><style>${look}</style></head><body><main><p class="brand"><span aria-hidden="true">●</span> Beaconry</p><h1>${title}</h1>${body}</main></body></html>`

const question = page(
  'Turn off emails about new applications?',
  '<p>You will no longer get an email when a volunteer applies to be a Beacon at your events. The applications still wait for you on your dashboard.</p><form method="post"><button>Turn Them Off</button></form>',
)

const done = page(
  'These emails are off',
  `<p>You get no more emails about new applications. You can turn them on again on your profile.</p>${profileLink}`,
)
