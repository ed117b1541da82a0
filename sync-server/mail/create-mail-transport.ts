import type { Knex } from 'knex'
import type { Config } from '../config.ts'
import type { DemoMailRow } from '../db/rows/message-rows.ts'
import { MailNotSent, type MailTransport } from './mail-transport.ts'
import { createSmtpTransport } from './smtp-transport.ts'

/** SMTP where it is configured; else a demo keeps mails in a table, and any other server refuses. */
export function createMailTransport(
  db: Knex,
  config: Pick<Config, 'smtpUrl' | 'mailFrom' | 'demoMode'>,
): MailTransport {
  if (config.smtpUrl !== null) return createSmtpTransport(config.smtpUrl, config.mailFrom)
  return config.demoMode ? createDemoTransport(db) : refusing
}

const refusing: MailTransport = {
  isSetUp: false,
  send: async () => {
    throw new MailNotSent('no mail server is configured (SMTP_URL)', 'later')
  },
  close: () => undefined,
}

/** This many are enough to look at and too few to fill a disk. */
const maxKept = 200

export function createDemoTransport(db: Knex): MailTransport {
  return {
    isSetUp: true,
    send: async ({ to, subject, text, html, attachments }, handOver) => {
      await handOver?.beforeLastPiece()
      await db('demo_mails').insert({
        toName: to.name,
        toAddress: to.address,
        subject,
        textPart: text,
        htmlPart: html,
        attachmentNames: JSON.stringify(attachments.map(({ filename }) => filename)),
      })
      const surplus = db('demo_mails').orderBy('id', 'desc').offset(maxKept).select('id')
      await db('demo_mails').whereIn('id', surplus).del()
    },
    close: () => undefined,
  }
}

export async function listDemoMails(db: Knex): Promise<DemoMailRow[]> {
  return await db('demo_mails').orderBy('id', 'desc')
}
