import type { Found } from './find-events.ts'
import type { Search } from './filter-address.ts'

const events = (count: number) => (count === 1 ? '1 event' : `${count} events`)

/** What was found, in one line, and what could not be: '3 events in Texas within 50 miles of 73301. 1 event without …'. */
export function describeFound(
  found: Extract<Found, { status: 'ready' }>,
  { state, zipCode, radiusMiles }: Search,
  text: string,
): string {
  const what = state === '' && zipCode === '' ? (text.trim() === '' ? ' coming up' : ' found') : ''
  const where = state === '' ? '' : ` in ${state}`
  const near = zipCode === '' ? '' : ` within ${radiusMiles} miles of ${zipCode}`
  const line = `${events(found.events.length)}${what}${where}${near}`
  if (found.unplaced === 0) return line
  return `${line}. ${events(found.unplaced)} without a ZIP code ${found.unplaced === 1 ? 'is' : 'are'} left out.`
}
