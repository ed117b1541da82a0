import { expect, it } from 'vitest'
import type { Found } from './find-events.ts'
import { describeFound, describeMore } from './found-words.ts'
import { noFilters } from './served-search.ts'

type Ready = Extract<Found, { status: 'ready' }>

const ready = (count: number, changes: Partial<Ready> = {}): Ready => ({
  status: 'ready',
  events: Array.from({ length: count }, (_, id) => ({
    event: { id } as Ready['events'][number]['event'],
    miles: null,
  })),
  unplaced: 0,
  unknownZip: false,
  mayBeMore: false,
  searchedHere: null,
  asOf: '2026-03-02T05:29:00Z',
  stale: false,
  ...changes,
})
const search = { text: '', ...noFilters }
const near = { ...search, state: 'Texas', zipCode: '73301' }

it.each([
  ['all are here', ready(12), search, '', '12 events coming up'],
  ['there are others', ready(500, { mayBeMore: true }), search, '', 'At least 500 events coming up'],
  ['a text is found', ready(1), search, 'zebra', '1 event found'],
  [
    'a text is found without the server',
    ready(3, { mayBeMore: true, searchedHere: 500 }),
    search,
    'zebra',
    'At least 3 events found. Searching the 500 events on this device.',
  ],
  [
    'nothing is found without the server',
    ready(0, { mayBeMore: true, searchedHere: 500 }),
    search,
    'zebra',
    'No events found. Searching the 500 events on this device.',
  ],
  [
    'some have no place',
    ready(2, { unplaced: 1 }),
    near,
    '',
    '2 events in Texas within 50 miles of 73301. 1 event without a ZIP code is left out.',
  ],
])('the line above the events says what was found: %s', (_, found, filters, text, line) => {
  expect(describeFound(found, filters, text)).toBe(line)
})

it('a part of the events says how the others are found, with and without the server', () => {
  expect(describeMore(ready(500, { mayBeMore: true }))).toContain('Search for words')
  expect(describeMore(ready(3, { mayBeMore: true, searchedHere: 500 }))).toContain('once Beaconry can be reached again')
})
