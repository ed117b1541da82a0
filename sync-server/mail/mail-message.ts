import type { Host } from '#shared/accounts/host.ts'
import { manyLines, oneLine } from '#shared/text/plain-text.ts'
import type { MailFact, MailContent, MailMessage, MailLetter, MailLink } from './mail-content.ts'
import { htmlOf } from './mail-html.ts'
import type { Knex } from 'knex'
import type { MailKind } from '#shared/mail/mail.ts'
import type { MailRow } from '../db/rows/message-rows.ts'

const longestSubject = 200
const longestName = 80

/**
 * Links lead to our own pages only.
 * @param publicOrigin without a slash at its end
 * @throws when a path of `content` is not one of ours
 */
export function composeMail(content: MailContent, publicOrigin: string): MailMessage {
  const { to, host, action, unsubscribe, attachments = [], ...words } = content
  const smallPrint = [host && hostedBy(host), words.reason].filter(Boolean).join(' ')
  const subject = inHeader(words.subject, longestSubject)
  const letter: MailLetter = {
    subject,
    ...(words.heading === undefined ? {} : { heading: oneLine(words.heading, longestSubject) }),
    text: manyLines(words.text),
    ...(words.preview === undefined ? {} : { preview: oneLine(words.preview, longestSubject) }),
    facts: (words.facts ?? []).map(plainFact),
    ...(words.closing === undefined ? {} : { closing: manyLines(words.closing) }),
    ...(smallPrint === '' ? {} : { reason: manyLines(smallPrint) }),
    ...(action === undefined ? {} : { action: linkOf(action, publicOrigin) }),
    ...(unsubscribe === undefined ? {} : { unsubscribe: linkOf(unsubscribe, publicOrigin) }),
    publicOrigin,
  }
  return {
    to: { name: inHeader(to.name, longestName), address: to.address },
    ...(host?.contactEmail ? { replyTo: { name: inHeader(host.name, longestName), address: host.contactEmail } } : {}),
    subject,
    text: textOf(letter),
    html: htmlOf(letter),
    attachments,
    headers: letter.unsubscribe === undefined ? {} : unsubscribeHeaders(letter.unsubscribe.address),
  }
}

const hostedBy = ({ name, contactEmail }: Host) =>
  `Hosted by ${name}.${contactEmail === null ? '' : ' Replies to this email reach them.'}`

/** One-click works only over https, as RFC 8058 asks. */
function unsubscribeHeaders(address: string): Record<string, string> {
  return {
    'List-Unsubscribe': `<${address}>`,
    ...(address.startsWith('https:') ? { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' } : {}),
  }
}

/** Mail programs decode `=?utf-8?…?=` even where it was never encoded. */
const inHeader = (text: string, longest: number) => oneLine(text.replaceAll('=?', '= ?'), longest)

const ownPath = /^\/(?!\/)[\w\-./?=&#%~]*$/

function linkOf({ label, path }: { label: string; path: string }, publicOrigin: string): MailLink {
  if (!ownPath.test(path)) throw new Error('A mail may only lead to a page of ours')
  return { label: oneLine(label, longestName), address: `${publicOrigin}${path}` }
}

function plainFact({ label, value, was }: MailFact): MailFact {
  return {
    label: oneLine(label, longestName),
    value: manyLines(value),
    ...(was === undefined ? {} : { was: manyLines(was) }),
  }
}

/** Says what the HTML says, in its order. */
function textOf({ text, facts = [], closing, action, reason, unsubscribe }: MailLetter): string {
  const list = facts.map(({ label, value, was }) => `${label}: ${value}${was === undefined ? '' : `\n  (was: ${was})`}`)
  const body = [text, list.join('\n'), closing, action && `${action.label}: ${action.address}`]
  const smallPrint = [reason, unsubscribe && `${unsubscribe.label}: ${unsubscribe.address}`].filter(Boolean)
  const parts = [...body, smallPrint.length === 0 ? undefined : `-- \n${smallPrint.join('\n')}`]
  return parts.filter(Boolean).join('\n\n')
}

interface MailSite {
  readonly publicOrigin: string
  readonly now: Date
  /** Empty where the mail may not say a name. */
  readonly greetedAs: string
}

/** Writes a mail when its hold has ended. Undefined: there is no news any more. */
export type MailRenderer = (db: Knex, mail: MailRow, site: MailSite) => Promise<Omit<MailContent, 'to'> | undefined>

export type MailRenderers = Readonly<Record<MailKind, MailRenderer>>

export const greeting = (name: string) => (name === '' ? 'Hello,' : `Hello ${name},`)
