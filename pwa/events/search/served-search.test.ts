import { afterEach, describe, expect, it, vi } from 'vitest'
import type { PublicEvent } from '#shared/events/event-calls.ts'
import { headers } from '#shared/contract/request.ts'
import { noteCut } from '../../sync/http/cut-lists.ts'
import {
  servedSearch,
  keyOf,
  queryOf,
  type EventFilters,
  countFilters,
  noFilters,
  readSearch,
  writeSearch,
  textToAsk,
} from './served-search.ts'

const all: EventFilters = { state: '', zipCode: '', radiusMiles: 50 }
const texas = { ...all, state: 'Texas' }
const near = { ...all, zipCode: '02108', radiusMiles: 100 }
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

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

  it('a text is asked for once its list is known to be cut', () => {
    expect(queryOf(texas, ' founders ')).toEqual({ state: 'Texas', q: 'founders' })
    expect(queryOf(all, 'x'.repeat(300)).q).toHaveLength(200)
    expect(queryOf(all, '  ')).toEqual({})
    expect(keyOf(all, 'a')).not.toBe(keyOf(all, 'b'))
  })

  it('a text is sent where the device holds a part of the events, and nowhere else', () => {
    const [part, whole]: PublicEvent[][] = [[], []]
    noteCut(part!)
    expect([textToAsk(part!, 'a'), textToAsk(whole!, 'a'), textToAsk(null, 'a')]).toEqual(['a', '', ''])
  })

  it('searches in quick succession reach the server as one, and the latest stays', async () => {
    vi.useFakeTimers()
    const asked: string[] = []
    vi.stubGlobal('fetch', async (address: string) => {
      asked.push(address.replace(/.*\?/, ''))
      return new Response('[]', { headers: { [headers.serverVersion]: '1' } })
    })
    for (const state of ['Texas', 'Ohio', 'Utah', 'Iowa']) {
      const leave = servedSearch({ ...all, state }).follow({})
      await vi.advanceTimersByTimeAsync(1)
      if (state !== 'Iowa') leave()
    }
    await vi.advanceTimersByTimeAsync(1_000)
    expect(asked).toEqual(['state=Texas', 'state=Iowa'])
    expect(servedSearch({ ...all, state: 'Iowa' }).known.get().answer).toEqual([])
    expect(servedSearch({ ...all, state: 'Ohio' }).known.get().answer).toBeNull()
  })

  it('a text that is typed on ends the request for its beginning', async () => {
    // The test before has asked by a clock that ran ahead.
    vi.useFakeTimers({ now: Date.now() + 60_000 })
    const asked: { q: string | null; signal: AbortSignal }[] = []
    vi.stubGlobal('fetch', async (address: string, { signal }: { signal: AbortSignal }) => {
      asked.push({ q: new URL(address, 'https://beaconry.example').searchParams.get('q'), signal })
      return await new Promise(() => undefined)
    })
    const leave = servedSearch(all, 'lant').follow({})
    await vi.advanceTimersByTimeAsync(100)
    leave()
    servedSearch(all, 'lante').follow({})()
    servedSearch(all, 'lantern').follow({})
    await vi.advanceTimersByTimeAsync(1_000)
    expect(asked.map(({ q, signal }) => [q, signal.aborted])).toEqual([
      ['lant', true],
      ['lantern', false],
    ])
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
