import type { Knex } from 'knex'
import type { DemoMailRow } from '../db/rows/mail-rows.ts'
import type { MailTransport } from './mail-transport.ts'

/** Enough to look at, too few to fill a disk. */
const mostKept = 200

/** Delivers nothing: keeps the newest mails in a table, for the page that shows them. */
export function createDemoTransport(db: Knex): MailTransport {
  return {
    delivers: false,
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

/** What was kept, newest first. */
export async function listDemoMails(db: Knex): Promise<DemoMailRow[]> {
  return await db('demo_mails').orderBy('id', 'desc')
}
