import type { ApplicationRow } from '../db/rows/application-rows.ts'
import type { HandlerCall } from '../calls/handler.ts'
import type { NewMail } from '../mail/mail-store.ts'

const hourMs = 3_600_000
/** So many acknowledgements leave for an event in an hour; those of a greater crowd follow in the hours after. */
const mostInAnHour = 600
/** So many reach one mailbox in a day: anybody may type anybody's address. */
const mostToOneMailbox = 5

/**
 * The mail that says an application has arrived, if there is to be one: what is stored is never refused for the number of
 * mails, and its sender has the same link on the screen. Without the name: whoever types somebody else's address must not
 * get a word of their own into that mailbox.
 */
export async function acknowledgementOf(
  { spend, now }: Pick<HandlerCall<'applyAsBeacon'>, 'spend' | 'now'>,
  row: ApplicationRow,
): Promise<NewMail[]> {
  const ofEvent = await spend.count('application-event', String(row.eventId))
  const toMailbox = await spend.count('acknowledgement', mailboxOf(row.email))
  const hoursLater = Math.floor((ofEvent - 1) / mostInAnHour)
  if (toMailbox > mostToOneMailbox || hoursLater >= 24) return []
  return [
    {
      kind: 'acknowledgement',
      key: `acknowledgement:${row.id}`,
      to: { name: '', address: row.email },
      eventId: row.eventId,
      applicationId: row.id,
      payload: {},
      ...(hoursLater > 0 && { sendAt: new Date(now.getTime() + hoursLater * hourMs) }),
    },
  ]
}

/** Where mail to an address arrives: upper case makes no difference, nor does a tag behind a plus. */
function mailboxOf(email: string): string {
  return email.toLowerCase().replace(/\+[^@]*@/, '@')
}
