import type { ApplicationFields } from '#shared/applications/application.ts'
import type { Entry, Receipt } from '../outbox/entry.ts'
import { applyAsBeacon, type ApplyAsBeacon } from '../outbox/mutations/apply-as-beacon.ts'
import { findKnown } from '../outbox/mutations/mutations.ts'

/** An application for one event made on this device, and where it is. `sent` only ever comes from the server's own answer. */
export type OwnApplication =
  | { readonly state: 'on-this-device' | 'refused'; readonly entry: Entry; readonly args: ApplyAsBeacon }
  | { readonly state: 'sent'; readonly sent: SentApplication }

/** What this device keeps of an application that the server has: what was written, and what opens it. */
export interface SentApplication {
  readonly id: number
  readonly token: string
  readonly fields: ApplicationFields
  readonly at: string
}

/** The newest application of a queue and its receipts for an event. */
export function newestApplication(
  entries: readonly Entry[],
  receipts: readonly Receipt[],
  eventId: number,
): OwnApplication | null {
  for (const entry of entries.toReversed()) {
    if (entry.mutation !== applyAsBeacon.name || entry.forget) continue
    const args = findKnown(entry)?.args as ApplyAsBeacon | undefined
    if (args?.eventId !== eventId) continue
    if (entry.state === 'blocked') {
      // It only waits; what a person has to know is why the one before it was refused.
      const refused = entries.find(({ state, lane }) => state === 'parked' && lane === entry.lane) ?? entry
      return { state: 'refused', entry: refused, args: (findKnown(refused)?.args as ApplyAsBeacon | undefined) ?? args }
    }
    if (entry.state === 'parked') return { state: 'refused', entry, args }
    if (entry.state === 'acknowledged') {
      const sent = sentOf(args, entry.acknowledged?.body, entry.createdAt)
      if (sent) return { state: 'sent', sent }
    }
    return { state: 'on-this-device', entry, args }
  }
  const [sent] = sentApplications(receipts, eventId)
  return sent ? { state: 'sent', sent } : null
}

/** The applications for an event that the server took from this device, newest first. */
export function sentApplications(receipts: readonly Receipt[], eventId: number): SentApplication[] {
  return receipts
    .filter(({ mutation, args }) => mutation === applyAsBeacon.name && (args as ApplyAsBeacon).eventId === eventId)
    .toSorted((one, other) => other.at.localeCompare(one.at))
    .flatMap(({ args, answer, at }) => sentOf(args as ApplyAsBeacon, answer, at) ?? [])
}

function sentOf({ fields }: ApplyAsBeacon, answer: unknown, at: string): SentApplication | undefined {
  const { id, token } = (answer ?? {}) as { id?: unknown; token?: unknown }
  return typeof id === 'number' && typeof token === 'string' ? { id, token, fields, at } : undefined
}
