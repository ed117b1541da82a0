import type { Knex } from 'knex'
import MailComposer from 'nodemailer/lib/mail-composer'
import type { Config } from '../config.ts'
import type { DemoMailRow } from '../db/rows/message-rows.ts'
import type { MailAddress, MailMessage } from './mail-content.ts'
import { MailNotSent, type MailTransport, type HandOver } from './mail-transport.ts'
import { createSmtpConnections, type SmtpPatience } from './smtp-connections.ts'

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

/** Enough to look at, too few to fill a disk. */
const mostKept = 200

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
      const surplus = db('demo_mails').orderBy('id', 'desc').offset(mostKept).select('id')
      await db('demo_mails').whereIn('id', surplus).del()
    },
    close: () => undefined,
  }
}

export async function listDemoMails(db: Knex): Promise<DemoMailRow[]> {
  return await db('demo_mails').orderBy('id', 'desc')
}

const usualPatience: SmtpPatience = { connectMs: 10_000, offerMs: 60_000, answerMs: 300_000 }

/** @param url holds name and password: never to be logged */
export function createSmtpTransport(url: string, from: MailAddress, patience = usualPatience): MailTransport {
  const connections = createSmtpConnections(url, patience)
  return {
    isSetUp: true,
    send: async (message, handOver) => {
      const envelope = { from: from.address, to: [message.to.address] }
      await connections.offer({
        envelope,
        mail: await write(message, from, handOver),
        beforeLastPiece: async () => await handOver?.beforeLastPiece(),
        signal: handOver?.signal,
      })
    },
    close: () => connections.close(),
  }
}

async function write(message: MailMessage, from: MailAddress, handOver: HandOver | undefined): Promise<Buffer> {
  const { to, replyTo, subject, text, html, attachments, headers } = message
  const mail = new MailComposer({
    from: { ...from },
    to: { ...to },
    ...(replyTo && { replyTo: { ...replyTo } }),
    ...(handOver && { messageId: `<${handOver.id}@${from.address.split('@')[1]}>` }),
    subject,
    text,
    html,
    attachments: attachments.map((attachment) => ({ ...attachment, contentDisposition: 'attachment' })),
    headers: { ...headers, 'Auto-Submitted': 'auto-generated' },
    // Nothing in a mail is ever fetched from disk or network.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return await mail.compile().build()
}
