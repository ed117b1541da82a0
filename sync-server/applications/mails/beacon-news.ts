import { findReaderOfApplications } from '../../accounts/mail-preference-store.ts'
import type { MailRenderer } from '../../mail/mail-renderer.ts'
import { unsubscribePath } from '../../accounts/mails/unsubscribe-token.ts'
import { greeting } from '../../mail/greeting.ts'

/**
 * That approved Beacons have withdrawn, or changed what guests read, and where to look. Never a word of theirs. Nothing when
 * the event is gone, or the organizer has turned these mails off meanwhile.
 */
export const writeBeaconNews: MailRenderer = async (db, mail) => {
  const event = mail.eventId === null ? undefined : await db('events').where({ id: mail.eventId }).first()
  const organizer = event && (await findReaderOfApplications(db, event.organizerId))
  if (!event || !organizer) return undefined
  const withdrawn = numbersIn(mail.payload['withdrawn'])
  const changed = numbersIn(mail.payload['changed'])
  if (withdrawn + changed === 0) return undefined
  const lines = [
    withdrawn > 0 &&
      `${beacons(withdrawn, 'has', 'have')} withdrawn and ${verb(withdrawn)} not expected at ${event.name} any more.`,
    changed > 0 &&
      `${beacons(changed, 'has', 'have')} changed what guests read about them on the page of ${event.name}. What it said before stands beside it.`,
  ].filter(Boolean)
  const subject =
    withdrawn > 0
      ? `${beacons(withdrawn, 'has', 'have')} withdrawn from ${event.name}`
      : `${beacons(changed, 'has', 'have')} changed what guests read`
  return {
    subject,
    heading: subject,
    text: [greeting(mail.toName), ...lines].join('\n\n'),
    action: { label: 'See the Beacons', path: `/events/manage/${event.id}` },
    reason: `You get this because you organize ${event.name} and none of your devices is set to alert you.`,
    unsubscribe: {
      label: 'Turn off emails about applications',
      path: await unsubscribePath(db, event.organizerId),
    },
  }
}

const numbersIn = (ids: unknown) => new Set(Array.isArray(ids) ? ids.map(Number) : []).size
const beacons = (count: number, one: string, several: string) =>
  count === 1 ? `A Beacon ${one}` : `${count} Beacons ${several}`
const verb = (count: number) => (count === 1 ? 'is' : 'are')
