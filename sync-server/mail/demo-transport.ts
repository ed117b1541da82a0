import type { Knex } from 'knex'
import type { DemoMailRow } from '../db/tables.ts'
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
        to_name: to.name,
        to_address: to.address,
        subject,
        text_part: text,
        html_part: html,
        attachment_names: JSON.stringify(attachments.map(({ filename }) => filename)),
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
