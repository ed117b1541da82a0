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

/** The same of a place alone, or of what is left of an event that is gone. */
export function placeInMail<
  T extends Pick<OrganizerWords, 'location' | 'address' | 'city'> & { readonly name?: string },
>(place: T, organizerIsConfirmed: boolean): T {
  const shown = (text: string, longest: number) => (organizerIsConfirmed ? text : bare(text, longest))
  const part = (text: string) => cutToBytes(shown(text, unconfirmedPlaceLength), placeBytes)
  const { name, city } = place
  return {
    ...place,
    ...(name === undefined
      ? {}
      : {
          name: cutToBytes(shown(name, unconfirmedNameLength) || (organizerIsConfirmed ? '' : 'an event'), nameBytes),
        }),
    location: part(place.location),
    address: part(place.address),
    // A mail that an older server queued may say nothing of it.
    city: typeof city === 'string' ? part(city) : null,
  }
}

const bare = (text: string, longest: number) =>
  oneLine(text.replace(addressLike, ' '), Number.MAX_SAFE_INTEGER).replace(/ {2,}/g, ' ').slice(0, longest).trim()
