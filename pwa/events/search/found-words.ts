import type { Found } from './find-events.ts'
import type { Search } from './served-search.ts'

type Ready = Extract<Found, { status: 'ready' }>

const events = (count: number) => (count === 1 ? '1 event' : `${count || 'No'} events`)

/** '3 events in Texas within 50 miles of 73301. 1 event without …' */
export function describeFound(found: Ready, { state, zipCode, radiusMiles }: Search, text: string): string {
  const what = state === '' && zipCode === '' ? (text.trim() === '' ? ' coming up' : ' found') : ''
  const where = state === '' ? '' : ` in ${state}`
  const near = zipCode === '' ? '' : ` within ${radiusMiles} miles of ${zipCode}`
  const least = found.mayBeMore && found.events.length > 0 ? 'At least ' : ''
  const line = `${least}${events(found.events.length)}${what}${where}${near}`
  const further = [
    ...(found.searchedHere === null ? [] : [`Searching the ${events(found.searchedHere)} on this device.`]),
    ...(found.unplaced === 0
      ? []
      : [`${events(found.unplaced)} without a ZIP code ${found.unplaced === 1 ? 'is' : 'are'} left out.`]),
  ]
  return further.length === 0 ? line : `${line}. ${further.join(' ')}`
}

/** Below a list that may not be all: how to find the others. */
export const describeMore = ({ searchedHere }: Ready): string =>
  searchedHere === null
    ? 'There may be more. Search for words, or choose a state or a ZIP code, to find the others.'
    : 'There may be more. All events are searched once Beaconry can be reached again.'
