import type { Knex } from 'knex'
import type Koa from 'koa'
import type { IncomingMessage } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { testEmailFailed } from '#shared/mail/mail-calls.ts'
import { escapeHtml } from '#shared/text/plain-text.ts'
import { signedIn } from '../../calls/access.ts'
import type { Handlers } from '../../calls/handler.ts'
import { ProblemError } from '../../calls/problems.ts'
import { type Config, isLocal } from '../../config.ts'
import type { DemoMailRow } from '../../db/rows/message-rows.ts'
import { composeMail } from '../../mail/mail-message.ts'
import type { MailMessage } from '../../mail/mail-content.ts'
import { listDemoMails } from '../../mail/create-mail-transport.ts'
import type { MailTransport } from '../../mail/mail-transport.ts'
import { type ApprovalEvent, approvalLetter } from './decision.ts'

const note = `This is a test email. No applicant was approved: it shows what a Beacon gets when you approve them, with made-up values.`

const event: ApprovalEvent = {
  id: 0,
  name: 'Sample Networking Evening',
  description: 'An evening that takes place in test emails only.',
  startDate: '2030-03-01',
  endDate: '2030-03-01',
  startTime: '18:30',
  endTime: '21:00',
  timeZone: 'America/Chicago',
  location: 'The Sample Hall',
  address: '1 Harbor Way',
  city: 'Chicago',
  state: 'Illinois',
  zipCode: '60611',
  beaconInstructions: 'Please be at the welcome desk 30 minutes before the doors open.',
  promoCode: 'SAMPLE-CODE',
  customBeaconEmailSubject: null,
  customBeaconEmailBody: null,
  edition: 1,
  updatedAt: new Date('2026-01-01T00:00:00Z'),
}

/** Fills the default approval mail with fixed sample values. */
export function testMail(address: string, publicOrigin: string): MailMessage {
  const { subject, text, attachments } = approvalLetter('Ana Sample', event, true, publicOrigin)
  const action = { label: 'Open Your Own Page', path: '/events' }
  return composeMail(
    { to: { name: '', address }, subject: `Test: ${subject}`, text: `${note}\n\n${text}`, action, attachments },
    publicOrigin,
  )
}

export function mailHandlers(transport: MailTransport) {
  return {
    sendTestEmail: {
      before: async (call) => {
        const { email } = call.body
        await call.spend('test-email', `user:${signedIn(call).userId}`)
        try {
          await Promise.race([transport.send(testMail(email, call.config.publicOrigin)), tooLate()])
        } catch (error) {
          call.log.warn({ err: error }, 'a test mail was not sent')
          throw new ProblemError('unavailable', testEmailFailed)
        }
        const message =
          call.config.smtpUrl !== null
            ? `Test email sent to ${email}.`
            : `This demo delivers no email. What ${email} would get is shown at /mail-preview on the machine it runs on.`
        return async () => ({ message })
      },
    },
  } satisfies Partial<Handlers>
}

const longestWaitMs = 30_000

async function tooLate(): Promise<never> {
  await delay(longestWaitMs, undefined, { ref: false })
  throw new Error('the mail server took too long')
}

const reads = new Set(['GET', 'HEAD'])

/**
 * It shows mails of others, so it exists only on a demo of this machine without a mail server, and only for requests
 * from this machine.
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
<body><h1>Mail preview</h1><p>This demo delivers no email. What it would have sent is shown here, newest first.</p>${list}</body></html>`
}

function article(mail: DemoMailRow): string {
  const { toName: name, toAddress: address, subject, textPart: text, sentAt: at } = mail
  const to = escapeHtml(name === '' ? address : `${name} <${address}>`)
  const files = mail.attachmentNames.length === 0 ? '' : `<br>With ${escapeHtml(mail.attachmentNames.join(', '))}`
  // Nothing in it runs, and a link opens in another tab.
  const html = escapeHtml(mail.htmlPart.replace('<head>', '<head><base target="_blank">'))
  const asHtml = `<details><summary>As HTML</summary><iframe title="${escapeHtml(subject)}" loading="lazy" sandbox="allow-popups allow-popups-to-escape-sandbox" srcdoc="${html}"></iframe></details>`
  return `<article><h2>${escapeHtml(subject)}</h2><small>To ${to} · ${escapeHtml(at.toISOString())}${files}</small><pre>${escapeHtml(text)}</pre>${asHtml}</article>`
}
