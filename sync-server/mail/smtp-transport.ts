import MailComposer from 'nodemailer/lib/mail-composer'
import type { MailAddress, MailMessage } from './mail-message.ts'
import type { HandOver, MailTransport } from './mail-transport.ts'
import { createSmtpConnections, type SmtpPatience } from './smtp-connections.ts'

const usualPatience: SmtpPatience = { connectMs: 10_000, offerMs: 60_000, answerMs: 300_000 }

/**
 * Mail by SMTP.
 * @param url with name and password in it: never to be logged
 */
export function createSmtpTransport(url: string, from: MailAddress, patience = usualPatience): MailTransport {
  const connections = createSmtpConnections(url, patience)
  return {
    delivers: true,
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
  const { to, subject, text, html, attachments, headers } = message
  const mail = new MailComposer({
    from: { ...from },
    to: { ...to },
    ...(handOver && { messageId: `<${handOver.id}@${from.address.split('@')[1]}>` }),
    subject,
    text,
    html,
    attachments: attachments.map((attachment) => ({ ...attachment, contentDisposition: 'attachment' })),
    headers: { ...headers, 'Auto-Submitted': 'auto-generated' },
    // Nothing a mail is made of is ever fetched from disk or network.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return await mail.compile().build()
}
