import { describe, expect, it } from 'vitest'
import { placeOf, zipCentre } from './event-place.ts'

describe('where an event is', () => {
  it.each([
    ['60611', 'Illinois', 'America/Chicago'],
    ['10118', 'New York', 'America/New_York'],
    ['20500', null, 'America/New_York'],
    ['20001', null, 'America/New_York'],
    ['99501', 'Alaska', 'America/Anchorage'],
    ['00601', null, 'America/Puerto_Rico'],
    ['02108', 'Massachusetts', 'America/New_York'],
    // States with two clocks: the ZIP code decides.
    ['79901', 'Texas', 'America/Denver'],
    ['37402', 'Tennessee', 'America/New_York'],
    ['32501', 'Florida', 'America/Chicago'],
    // So near Canada or Mexico that the centre lies across the border.
    ['13618', 'New York', 'America/New_York'],
    ['78564', 'Texas', 'America/Chicago'],
    ['98281', 'Washington', 'America/Los_Angeles'],
    ['83805', 'Idaho', 'America/Boise'],
  ])('ZIP code %s in %s keeps the time of %s', async (zipCode, state, timeZone) => {
    const place = await placeOf({ zipCode, state })
    expect(place.timeZone).toBe(timeZone)
    expect(place.latitude).toBeGreaterThan(17)
    expect(place.longitude).toBeLessThan(-65)
  })

  it.each([
    [null, 'Hawaii', 'Pacific/Honolulu'],
    ['00000', 'Arizona', 'America/Phoenix'],
    [null, null, 'America/New_York'],
  ])('without a known ZIP code (%s) %s keeps the time of %s', async (zipCode, state, timeZone) => {
    expect(await placeOf({ zipCode, state })).toEqual({ timeZone, latitude: null, longitude: null })
  })

  it('a ZIP code is five digits as text, zeros in front included', async () => {
    expect(await zipCentre('02108')).toBeDefined()
    expect(await zipCentre('2108')).toBeUndefined()
    expect(await zipCentre('constructor')).toBeUndefined()
  })
})
