import { describe, expect, it } from 'vitest'
import { countFilters, noFilters, readSearch, writeSearch } from './filter-address.ts'

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
