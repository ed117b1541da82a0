import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { fileURLToPath } from 'node:url'
import type { ApiAnswer } from './api.ts'
import type { Ledger, StripeIntent } from './ledger.ts'
import { StripeRefusal } from './stripe-objects.ts'

/** What a browser gets of us: the script, and the pages it opens. */
const files: Readonly<Record<string, string>> = {
  'stripe.js': 'text/javascript; charset=utf-8',
  'card-form.html': 'text/html; charset=utf-8',
  'bank.html': 'text/html; charset=utf-8',
}
const folder = fileURLToPath(new URL('./', import.meta.url))

/** A file for a browser, by the path it asks for. */
export function findPage(path: string): { readonly type: string; readonly text: string } | undefined {
  const name = /^\/\w+\/([\w-]+\.\w+)$/.exec(path)?.[1] ?? ''
  const type = files[name]
  return type === undefined ? undefined : { type, text: readFileSync(folder + name, 'utf8') }
}

/**
 * What people do at Stripe itself: `/dialog` is the answer of the card's holder to their bank (`client_secret`, `outcome`);
 * `/seller/<intent>/finish|refund|dispute|cancel` stands for the seller's dashboard. Undefined for any other path.
 */
export function answerPeople(
  ledger: Ledger,
  intentOf: (clientSecret: string) => StripeIntent,
  { method, path, body }: { method: IncomingMessage['method']; path: string; body: string },
): ApiAnswer | undefined {
  const [, id = '', act] = /^\/seller\/(pi_\w+)\/(finish|refund|dispute|cancel)$/.exec(path) ?? []
  if (method !== 'POST' || (path !== '/dialog' && act === undefined)) return undefined
  const values = new URLSearchParams(body)
  const outcome = values.get('outcome') === 'succeeded' ? 'succeeded' : 'failed'
  try {
    if (path === '/dialog') return done(ledger.finish(intentOf(values.get('client_secret') ?? ''), outcome))
    const intent = ledger.getIntent(id)
    if (act === 'finish') return done(ledger.finish(intent, outcome))
    if (act === 'cancel') return done(ledger.cancel(intent))
    if (act === 'dispute') return done(ledger.dispute(intent))
    const cents = values.get('amount')
    return done(ledger.refund(intent, cents === null ? undefined : Number(cents)))
  } catch (error) {
    if (!(error instanceof StripeRefusal)) throw error
    return { status: error.status, body: { error: error.error } }
  }
}

const done = (body: object): ApiAnswer => ({ status: 200, body })
