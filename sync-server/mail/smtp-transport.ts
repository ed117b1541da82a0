import { createTransport } from 'nodemailer'
import type { MailAddress } from './mail-message.ts'
import { MailNotSent, type MailTransport } from './mail-transport.ts'

const connectMs = 10_000
const silenceMs = 20_000

/**
 * Mail by SMTP. Connections are kept and shared, so that a hundred decisions do not mean a hundred sign-ins.
 * @param url with name and password in it: never to be logged
 */
export function createSmtpTransport(url: string, from: MailAddress): MailTransport {
  const transporter = createTransport({
    url,
    pool: true,
    maxConnections: 2,
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: silenceMs,
    // Nothing a mail is made of is ever fetched from disk or network.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    delivers: true,
    send: async ({ to, subject, text, html }) => {
      try {
        await transporter.sendMail({
          from: { ...from },
          to: { ...to },
          envelope: { from: from.address, to: [to.address] },
          subject,
          text,
          html,
          headers: { 'Auto-Submitted': 'auto-generated' },
        })
      } catch (error) {
        throw notSent(error)
      }
    },
    close: () => transporter.close(),
  }
}

/** The server's words are left out: they often repeat the address. */
function notSent(error: unknown): MailNotSent {
  const { responseCode, code } = error as { responseCode?: number; code?: string }
  const isFinal = responseCode !== undefined && responseCode >= 500 && code !== 'EAUTH'
  return new MailNotSent(`the mail server refused or failed: ${responseCode ?? code ?? 'unknown reason'}`, isFinal)
}
