import { cutToBytes } from './mail-size.ts'
import { oneLine } from '../text/plain-text.ts'

/** What an organizer writes that comes into mails to applicants. */
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

const nameBytes = 240
const placeBytes = 220
const unconfirmedNameLength = 80
const unconfirmedPlaceLength = 120

/** An address of the web or of a mailbox, as people write it where nobody expects one. */
const addressLike = /(?:https?:\/\/|www\.)\S*|\S+@\S+|\S+\.[a-z]{2,}\/\S*/gi

/**
 * What mails to applicants may carry of an organizer's words. Somebody who has not shown that their own e-mail address is
 * theirs could otherwise send any text to any address, by applying in its owner's name: of them only the event's name and
 * place go out, short and without addresses, in the fixed text. The same function on the phone, for the preview, and on the
 * server, for the delivery.
 */
export function wordsInMail<T extends OrganizerWords>(event: T, organizerIsConfirmed: boolean): T {
  if (organizerIsConfirmed) {
    return {
      ...event,
      name: cutToBytes(event.name, nameBytes),
      location: cutToBytes(event.location, placeBytes),
      address: cutToBytes(event.address, placeBytes),
      city: event.city === null ? null : cutToBytes(event.city, placeBytes),
    }
  }
  const place = (text: string) => cutToBytes(bare(text, unconfirmedPlaceLength), placeBytes)
  return {
    ...event,
    name: cutToBytes(bare(event.name, unconfirmedNameLength) || 'an event', nameBytes),
    location: place(event.location),
    address: place(event.address),
    city: event.city === null ? null : place(event.city),
    beaconInstructions: null,
    promoCode: null,
    customBeaconEmailSubject: null,
    customBeaconEmailBody: null,
  }
}

const bare = (text: string, longest: number) =>
  oneLine(text.replace(addressLike, ' '), Number.MAX_SAFE_INTEGER).replace(/ {2,}/g, ' ').slice(0, longest).trim()
