import type { Knex } from 'knex'
import type { Config } from '../config.ts'
import { createDemoTransport } from './demo-transport.ts'
import { MailNotSent, type MailTransport } from './mail-transport.ts'
import { createSmtpTransport } from './smtp-transport.ts'

/** By SMTP where a mail server is configured; else a demo keeps what it would have sent, and any other server refuses. */
export function createMailTransport(
  db: Knex,
  config: Pick<Config, 'smtpUrl' | 'mailFrom' | 'demoMode'>,
): MailTransport {
  if (config.smtpUrl !== null) return createSmtpTransport(config.smtpUrl, config.mailFrom)
  return config.demoMode ? createDemoTransport(db) : refusing
}

const refusing: MailTransport = {
  delivers: false,
  isSetUp: false,
  send: async () => {
    throw new MailNotSent('no mail server is configured (SMTP_URL)', 'later')
  },
  close: () => undefined,
}
