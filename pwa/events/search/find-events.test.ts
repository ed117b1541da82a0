import { describe, expect, it } from 'vitest'
import type { PublicEvent } from '#shared/events/event-calls.ts'
import { findEvents } from './find-events.ts'
import type { EventFilters } from './served-search.ts'
import { noteCut } from '../../sync/http/cut-lists.ts'
import type { QueryState } from '../../sync/http/question.ts'
import type { ZipCentre } from './zip-codes.ts'

const now = new Date('2026-03-02T05:30:00Z')
const event = (id: number, changes: Partial<PublicEvent> = {}) =>
  ({
    id,
    name: `Event ${id}`,
    description: 'Meet people',
    location: 'Hall',
    city: 'Chicago',
    state: 'Illinois',
    startDate: '2026-03-01',
    endDate: '2026-03-01',
    startTime: null,
    endTime: null,
    timeZone: 'America/Chicago',
    latitude: 41.89,
    longitude: -87.62,
    ...changes,
  }) as PublicEvent
const chicago = event(1)
// It is March 2 there already: the day it was kept for is over.
const over = event(2, {
  timeZone: 'America/New_York',
  city: 'Boston',
  state: 'Massachusetts',
  latitude: 42.36,
  longitude: -71.06,
})
const milwaukee = event(3, { city: 'Milwaukee', state: 'Wisconsin', latitude: 43.04, longitude: -87.91 })
const nowhere = event(4, { latitude: null, longitude: null })

type KnownEvents = QueryState<readonly PublicEvent[]>
const answer = (events: PublicEvent[]): KnownEvents => ({ answer: events, asOf: '2026-03-02T05:29:00Z', failure: null })
const kept: KnownEvents = { ...answer([chicago, over, milwaukee, nowhere]), asOf: '2026-03-01T10:00:00Z' }
const nothing: KnownEvents = { answer: null, asOf: null, failure: null }
const noAnswer: KnownEvents = { ...nothing, failure: { kind: 'unreachable', reason: '' } }
const noZip: ZipCentre = { state: 'none' }
const atLake: ZipCentre = { state: 'known', centre: { latitude: 41.89, longitude: -87.62 } }
const all: EventFilters = { state: '', zipCode: '', radiusMiles: 50 }
const lake = { ...all, zipCode: '60611' }
/** What the search finds in what is kept. */
const find = (filters: EventFilters, more: { text?: string; zip?: ZipCentre; served?: KnownEvents } = {}) =>
  findEvents({ list: kept, served: more.served ?? nothing, zip: more.zip ?? noZip }, filters, more.text ?? '', now)
const ids = (found: ReturnType<typeof findEvents>) =>
  found.status === 'ready' ? found.events.map(({ event: { id } }) => id) : found.status

describe('the search on this device', () => {
  it('drops an event when its last day is over where it takes place', () => {
    expect(ids(find(all))).toEqual([1, 3, 4])
  })

  it('keeps one state, and finds text in it', () => {
    expect(ids(find({ ...all, state: 'Illinois' }))).toEqual([1, 4])
    expect(ids(find(all, { text: 'milwaukee' }))).toEqual([3])
  })

  it('finds accents and letters such as ł and ß by their plain letters', () => {
    const named = [event(5, { city: 'Łódź', location: 'Lange Straße' }), chicago]
    const found = findEvents({ list: answer(named), served: nothing, zip: noZip }, all, 'lodz strasse', now)
    expect(ids(found)).toEqual([5])
  })

  it('finds by distance, tells it, and says how many have no place', () => {
    const found = find({ ...lake, radiusMiles: 100 }, { zip: atLake })
    expect(found).toMatchObject({ status: 'ready', unplaced: 1, unknownZip: false })
    expect(ids(found)).toEqual([1, 3])
    expect(found.status === 'ready' && found.events.map(({ miles }) => Math.round(miles ?? -1))).toEqual([0, 81])
    expect(ids(find(lake, { zip: atLake }))).toEqual([1])
  })

  it('finds nothing for an unknown ZIP code, and says so', () => {
    const found = find({ ...all, zipCode: '00000' }, { zip: { state: 'unknown' } })
    expect(found).toMatchObject({ status: 'ready', events: [], unknownZip: true, unplaced: 0 })
  })
})

describe("the server's answer", () => {
  it('takes the place of what this device found', () => {
    expect(ids(find(lake, { served: answer([milwaukee]), zip: atLake }))).toEqual([3])
  })

  it('drops an event that has ended since', () => {
    expect(ids(find(all, { served: answer([over, milwaukee]) }))).toEqual([3])
  })

  it('is searched for text here', () => {
    const served = answer([chicago, milwaukee])
    expect(ids(find(lake, { served, zip: atLake, text: 'event 3' }))).toEqual([3])
  })

  it('tells whether there may be more, as does the list of this device', () => {
    const cut = answer([chicago])
    noteCut(cut.answer!)
    expect(find(all)).toMatchObject({ mayBeMore: false })
    expect(findEvents({ list: cut, served: nothing, zip: noZip }, all, '', now)).toMatchObject({ mayBeMore: true })
    const whole = findEvents({ list: cut, served: answer([milwaukee]), zip: noZip }, all, 'milwaukee', now)
    expect(whole).toMatchObject({ mayBeMore: false })
    expect(ids(whole)).toEqual([3])
  })

  it('that does not come leaves what this device found, as of when it was kept', () => {
    const found = find(lake, { served: { ...answer([milwaukee]), failure: noAnswer.failure }, zip: atLake })
    expect(found).toMatchObject({ status: 'ready', asOf: kept.asOf, stale: true })
    expect(ids(found)).toEqual([1])
  })
})

describe('a text without an answer', () => {
  const part = { ...answer([chicago, milwaukee]), failure: noAnswer.failure }
  noteCut(part.answer!)
  const searchedHere = (list: KnownEvents, text: string, served = nothing) => {
    const found = findEvents({ list, served, zip: noZip }, all, text, now)
    return found.status === 'ready' ? found.searchedHere : found.status
  }

  it('was looked for in the events of this device alone, where these are a part', () => {
    expect(searchedHere(part, 'event')).toBe(2)
    expect(searchedHere({ ...part, failure: null }, 'event', noAnswer)).toBe(2)
  })

  it('was looked for in all events where an answer came or the device has them all', () => {
    expect(searchedHere(part, 'event', answer([milwaukee]))).toBeNull()
    expect(searchedHere({ ...kept, failure: noAnswer.failure }, 'event')).toBeNull()
    expect(searchedHere({ ...part, failure: null }, 'event')).toBeNull()
    expect(searchedHere(part, ' ')).toBeNull()
  })
})

const looking: ZipCentre = { state: 'looking' }
it.each([
  ['nothing is here yet', nothing, nothing, all, noZip, 'loading'],
  ['nothing is here and no answer comes', noAnswer, nothing, all, noZip, 'unreachable'],
  ['the answer is on its way', noAnswer, nothing, lake, atLake, 'loading'],
  ['the answer did not come', noAnswer, noAnswer, lake, atLake, 'unreachable'],
  ['the ZIP codes are on their way', kept, nothing, lake, looking, 'loading'],
  ['the ZIP codes come later than no answer', kept, noAnswer, lake, looking, 'loading'],
  ['there are no ZIP codes, an answer may come', kept, nothing, lake, { state: 'unavailable' }, 'loading'],
  ['there are neither', kept, noAnswer, lake, { state: 'unavailable' }, 'zip-codes-missing'],
] as const)('while something is missing: %s', (_, list, served, filters, zip, status) => {
  expect(findEvents({ list, served, zip }, filters, '', now).status).toBe(status)
})
