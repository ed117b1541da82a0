import type { Entry, Receipt } from '../outbox/entry.ts'
import { applyAsBeacon, type ApplyAsBeacon } from '../outbox/mutations/apply-as-beacon.ts'
import { findKnown } from '../outbox/mutations.ts'

/** An application for one event made on this device, and where it is. `sent` only ever comes from the server's own answer. */
export type OwnApplication =
  | { readonly state: 'on-this-device' | 'refused'; readonly entry: Entry; readonly args: ApplyAsBeacon }
  | { readonly state: 'sent'; readonly firstName: string; readonly at: string }

/** The newest application of a queue and its receipts for an event. */
export function newestApplication(
  entries: readonly Entry[],
  receipts: readonly Receipt[],
  eventId: number,
): OwnApplication | null {
  for (const entry of entries.toReversed()) {
    if (entry.mutation !== applyAsBeacon.name) continue
    const args = findKnown(entry)?.args as ApplyAsBeacon | undefined
    if (args?.eventId !== eventId) continue
    if (entry.state === 'blocked') {
      // It only waits; what a person has to know is why the one before it was refused.
      const refused = entries.find(({ state, lane }) => state === 'parked' && lane === entry.lane) ?? entry
      return { state: 'refused', entry: refused, args: (findKnown(refused)?.args as ApplyAsBeacon | undefined) ?? args }
    }
    if (entry.state === 'parked') return { state: 'refused', entry, args }
    if (entry.state === 'acknowledged') return { state: 'sent', firstName: args.fields.firstName, at: entry.createdAt }
    return { state: 'on-this-device', entry, args }
  }
  const [receipt] = receipts
    .filter(({ mutation, args }) => mutation === applyAsBeacon.name && (args as ApplyAsBeacon).eventId === eventId)
    .toSorted((one, other) => other.at.localeCompare(one.at))
  return receipt ? { state: 'sent', firstName: (receipt.args as ApplyAsBeacon).fields.firstName, at: receipt.at } : null
}
