import type { IncomingMessage } from 'node:http'
import type Koa from 'koa'
import type { Knex } from 'knex'
import { isLocal, type Config } from '../../config.ts'
import type { DemoMailRow } from '../../db/rows/mail-rows.ts'
import { listDemoMails } from '../../mail/create-mail-transport.ts'
import { escapeHtml } from '../../mail/mail-html.ts'

const reads = new Set(['GET', 'HEAD'])

/**
 * `/mail-preview`: what a demo would have sent, for whoever develops it. Only on a demo of this machine without a mail
 * server, and only to this machine: mails are for those they are addressed to.
 */
export function mailPreview(
  db: Knex,
  config: Pick<Config, 'smtpUrl' | 'demoMode' | 'publicOrigin'>,
  isOfThisMachine: (request: IncomingMessage) => boolean,
): Koa.Middleware {
  const isOpen = config.smtpUrl === null && config.demoMode && isLocal(config.publicOrigin)
  return async (ctx, next) => {
    if (!isOpen || ctx.path !== '/mail-preview' || !reads.has(ctx.method)) return await next()
    // A proxy on this machine asks for others, and says so.
    const isForwarded = ctx.get('X-Forwarded-For') !== '' || ctx.get('Forwarded') !== ''
    if (isForwarded || !isOfThisMachine(ctx.req)) return await next()
    ctx.set('Cache-Control', 'no-store')
    ctx.set('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
    ctx.type = 'html'
    ctx.body = page(await listDemoMails(db))
  }
}

function page(mails: readonly DemoMailRow[]): string {
  const list = mails.length === 0 ? '<p>Nothing was sent yet.</p>' : mails.map(article).join('')
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Mail preview · Beaconry</title>
<style>body{font:16px/1.55 system-ui,sans-serif;margin:0 auto;padding:24px 16px;max-width:44em;color-scheme:light dark}
article{border:1px solid #8888;border-radius:12px;padding:16px;margin:16px 0}h2{font-size:1.1em;margin:0}
pre{font:inherit;white-space:pre-wrap;overflow-wrap:anywhere;margin:12px 0 0}small{opacity:.75}
summary{cursor:pointer;padding:12px 0}iframe{border:1px solid #8888;border-radius:8px;height:32em;resize:vertical;width:100%}</style></head>
<body><h1>Mail preview</h1><p>This demo delivers no mail. What it would have sent stands here, newest first.</p>${list}</body></html>`
}

function article(mail: DemoMailRow): string {
  const { toName: name, toAddress: address, subject, textPart: text, sentAt: at } = mail
  const to = escapeHtml(name === '' ? address : `${name} <${address}>`)
  const files = mail.attachmentNames.length === 0 ? '' : `<br>With ${escapeHtml(mail.attachmentNames.join(', '))}`
  // Nothing in it runs; a link opens beside this page.
  const html = escapeHtml(mail.htmlPart.replace('<head>', '<head><base target="_blank">'))
  const asHtml = `<details><summary>As HTML</summary><iframe title="${escapeHtml(subject)}" loading="lazy" sandbox="allow-popups allow-popups-to-escape-sandbox" srcdoc="${html}"></iframe></details>`
  return `<article><h2>${escapeHtml(subject)}</h2><small>To ${to} · ${escapeHtml(at.toISOString())}${files}</small><pre>${escapeHtml(text)}</pre>${asHtml}</article>`
}
