import { describe, expect, it } from 'vitest'
import type { PublicEvent } from '#shared/events/event-calls.ts'
import {
  createServedSearch,
  keyOf,
  queryOf,
  type EventFilters,
  countFilters,
  noFilters,
  readSearch,
  writeSearch,
} from './served-search.ts'

const all: EventFilters = { state: '', zipCode: '', radiusMiles: 50 }
const texas = { ...all, state: 'Texas' }
const near = { ...all, zipCode: '02108', radiusMiles: 100 }
const named = (name: string) => [{ name }] as PublicEvent[]

/** A server that answers when the test says so. */
function lateServer() {
  const asked: { state?: string; answer(events: PublicEvent[]): void; fail(): void; signal: AbortSignal }[] = []
  const search = createServedSearch(
    (query, signal) =>
      new Promise((resolve, reject) =>
        asked.push({ ...query, answer: resolve, fail: () => reject(new Error('no network')), signal }),
      ),
    async () => undefined,
  )
  return { asked, search }
}

describe('what is asked of the server', () => {
  it.each([
    [all, {}],
    [{ ...all, radiusMiles: 100 }, {}],
    [texas, { state: 'Texas' }],
    [near, { zipCode: '02108', radius: 100 }],
    [
      { ...near, state: 'Texas' },
      { state: 'Texas', zipCode: '02108', radius: 100 },
    ],
  ])('leaves out what is not set: %o', (filters, query) => {
    expect(queryOf(filters)).toEqual(query)
    expect(keyOf(filters) === '').toBe(Object.keys(query).length === 0)
  })

  it('a late answer never takes the place of a newer one', async () => {
    const { asked, search } = lateServer()
    const first = search.ask(texas)
    const second = search.ask(near)
    await expect.poll(() => asked.length).toBe(2)
    expect(asked[0]?.signal.aborted).toBe(true)
    asked[1]?.answer(named('near'))
    await second
    asked[0]?.answer(named('late'))
    await first
    expect(search.newest.get()).toMatchObject({ key: keyOf(near), events: named('near') })
  })

  it('a late failure does not hide a newer answer, and a newer failure is told', async () => {
    const { asked, search } = lateServer()
    const first = search.ask(texas)
    const second = search.ask(near)
    await expect.poll(() => asked.length).toBe(2)
    asked[1]?.answer(named('near'))
    await second
    asked[0]?.fail()
    await first
    expect(search.newest.get()?.events).toEqual(named('near'))
    const third = search.ask(texas)
    await expect.poll(() => asked.length).toBe(3)
    asked[2]?.fail()
    await third
    expect(search.newest.get()).toMatchObject({ key: keyOf(texas), events: null })
  })

  it('searches in quick succession reach the server as one', async () => {
    const asked: string[] = []
    let over = () => {}
    const pause = new Promise<void>((resolve) => (over = resolve))
    const search = createServedSearch(
      async (query) => {
        asked.push(JSON.stringify(query))
        return []
      },
      () => pause,
    )
    await search.ask(texas)
    const rest = ['Ohio', 'Utah', 'Iowa'].map((state) => search.ask({ ...all, state }))
    over()
    await Promise.all(rest)
    expect(asked).toEqual(['{"state":"Texas"}', '{"state":"Iowa"}'])
  })
})

const nothing = { text: '', ...noFilters }
const read = (address: string) => readSearch(new URLSearchParams(address))

describe('a search in the address', () => {
  it.each([
    ['', nothing],
    ['q=founders+night', { ...nothing, text: 'founders night' }],
    ['state=New+York&zipCode=02108&radius=100', { ...nothing, state: 'New York', zipCode: '02108', radiusMiles: 100 }],
    ['radius=10', { ...nothing, radiusMiles: 10 }],
  ])('%j is read, and written the same', (address, search) => {
    expect(read(address)).toEqual(search)
    expect(writeSearch(search)).toBe(address)
  })

  it.each(['state=Nowhere', 'state=all', 'radius=7', 'radius=1e9', 'radius=', 'zipCode='])(
    'what nobody could have chosen counts as not chosen: %s',
    (address) => {
      expect(read(address)).toEqual(nothing)
    },
  )

  it('a ZIP code has five characters at most', () => {
    expect(read('zipCode=0210845').zipCode).toBe('02108')
  })

  it.each([
    [nothing, 0],
    [{ ...nothing, text: 'x' }, 0],
    [{ ...nothing, state: 'Ohio' }, 1],
    [{ ...nothing, zipCode: '02108', radiusMiles: 10 }, 1],
    [{ ...nothing, radiusMiles: 10 }, 1],
    [{ ...nothing, state: 'Ohio', zipCode: '02108' }, 2],
  ])('%o has %i filters set', (search, count) => {
    expect(countFilters(search)).toBe(count)
  })
})
