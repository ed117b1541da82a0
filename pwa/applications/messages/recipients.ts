import { isAddressed, maxRecipients, type Audience } from '#shared/applications/message.ts'
import type { ApplicationDocument } from '#shared/sync/replication-calls.ts'
import type { EventDays } from '#shared/time/event-time.ts'
import { arrivalsOf } from '../manage/arrivals.ts'

export const audienceLabels: Readonly<Record<Audience, string>> = {
  approved: 'All approved Beacons',
  coming: 'Beacons who are coming',
  silent: 'Beacons who have not answered',
  here: 'Beacons who are here',
  pending: 'People waiting for an answer',
  selected: 'Selected people',
}

/** Names the group as it is at a certain time, as `recipientsOf` fills it. */
export const audienceLabelAt = (audience: Audience, event: EventDays, now: Date): string =>
  audience === 'here' && arrivalsOf(event, now).isOver ? 'Beacons who came' : audienceLabels[audience]

/**
 * @param applications of this event
 * @param selected ids; only they are asked about for the audience `selected`
 */
export function recipientsOf(
  applications: readonly ApplicationDocument[],
  audience: Audience,
  selected: readonly number[],
  event: EventDays,
  now: Date,
): ApplicationDocument[] {
  const chosen = new Set(selected)
  return applications
    .filter((one) => isAddressed(one, audience, event, now) && (audience !== 'selected' || chosen.has(one.id)))
    .slice(0, maxRecipients)
}

const counted = (count: number, one: string, several: string) => `${count} ${count === 1 ? one : several}`

/** @param devices by application id; undefined while they are not known */
export function deliveryLine(
  recipients: readonly Pick<ApplicationDocument, 'id' | 'email'>[],
  devices: ReadonlyMap<number, number> | undefined,
): string {
  const alerted = recipients.reduce((sum, { id }) => sum + (devices?.get(id) ?? 0), 0)
  const people = counted(recipients.length, 'person', 'people')
  const emails = counted(recipients.filter(({ email }) => email !== '').length, 'email', 'emails')
  return `${people}: ${emails}, ${devices ? counted(alerted, 'device', 'devices') : 'and the devices that asked'}`
}

/** Leaves out those that are written twice in any case of letters. */
export function addressesOf(recipients: readonly Pick<ApplicationDocument, 'email'>[]): string[] {
  return [...new Map(recipients.map(({ email }) => [email.toLowerCase(), email])).values()].filter(Boolean)
}

/** Mail programs and browsers cut links that are longer. */
const maxLinkLength = 1_900

/** Opens a new mail to all of them as blind copies; it is undefined where the link would be too long. */
export function mailtoLink(addresses: readonly string[]): string | undefined {
  const link = `mailto:?bcc=${addresses.map(encodeURIComponent).join(',')}`
  return addresses.length > 0 && link.length <= maxLinkLength ? link : undefined
}

/** Names no one: the placeholder is filled for each reader. */
export const reminderText =
  'Hi [Beacon Name],\n\nAre you still coming to [Event Name]? Please tell us on your own page: one tap, yes or no.\n\nThank you!'
