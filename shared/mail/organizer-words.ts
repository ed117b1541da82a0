import { cutToBytes } from './mail-size.ts'
import { outgoingName, withoutAddresses } from '../text/outgoing-name.ts'
import { cutTo } from '../text/plain-text.ts'

export interface OrganizerWords {
  readonly name: string
  readonly location: string
  readonly address: string
  readonly city: string | null
  readonly beaconInstructions: string | null
  readonly promoCode: string | null
  readonly customBeaconEmailSubject: string | null
  readonly customBeaconEmailBody: string | null
}

const placeBytes = 220
const unconfirmedPlaceLength = 120

export const eventNameInMail = (name: string): string => outgoingName(name) || 'an event'

/**
 * An organizer without a confirmed address could send any text to any address by applying in its owner's name: of their
 * words only the event's name and place go out, short and without addresses, in the fixed text. The event's name never
 * has addresses. Preview and delivery share this.
 */
export function wordsInMail<T extends OrganizerWords>(event: T, organizerIsConfirmed: boolean): T {
  const placed = placeInMail(event, organizerIsConfirmed)
  if (organizerIsConfirmed) return placed
  return {
    ...placed,
    beaconInstructions: null,
    promoCode: null,
    customBeaconEmailSubject: null,
    customBeaconEmailBody: null,
  }
}

/** Describes a place alone, or what is left of a deleted event. */
export function placeInMail<
  T extends Pick<OrganizerWords, 'location' | 'address' | 'city'> & { readonly name?: string },
>(place: T, organizerIsConfirmed: boolean): T {
  const shown = (text: string) =>
    organizerIsConfirmed ? text : cutTo(withoutAddresses(text), unconfirmedPlaceLength).trim()
  const part = (text: string) => cutToBytes(shown(text), placeBytes)
  const { name, city } = place
  return {
    ...place,
    ...(name === undefined ? {} : { name: eventNameInMail(name) }),
    location: part(place.location),
    address: part(place.address),
    city: city === null ? null : part(city),
  }
}
