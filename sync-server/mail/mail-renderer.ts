import type { Knex } from 'knex'
import type { MailKind } from '#shared/mail/mail.ts'
import type { MailRow } from '../db/rows/mail-rows.ts'
import type { MailContent } from './mail-message.ts'

/** What a mail may need to know beyond the rows. */
interface MailSite {
  readonly publicOrigin: string
  readonly now: Date
}

/**
 * Writes a mail from the rows as they are when its hold has ended. Undefined: there is no news any more, nothing is sent.
 */
export type MailRenderer = (db: Knex, mail: MailRow, site: MailSite) => Promise<Omit<MailContent, 'to'> | undefined>

/** Who writes which kind of mail. */
export type MailRenderers = Readonly<Record<MailKind, MailRenderer>>

/** How a mail to a user begins; without a name where it may not say one. */
export const greeting = (name: string) => (name === '' ? 'Hello,' : `Hello ${name},`)
