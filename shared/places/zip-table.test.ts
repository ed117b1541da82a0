import { describe, expect, it } from 'vitest'
import { distanceMiles, isWithinMiles } from './zip-table.ts'

const newYork = { latitude: 40.7506, longitude: -73.9973 }
const losAngeles = { latitude: 34.0522, longitude: -118.2437 }
const chicago = { latitude: 41.8858, longitude: -87.6181 }

describe('distances', () => {
  // The expected miles come from the angle between unit vectors, another formula on the same sphere.
  it.each([
    [newYork, newYork, 0],
    [newYork, losAngeles, 2446],
    [newYork, chicago, 710],
    [{ latitude: 0, longitude: 179.5 }, { latitude: 0, longitude: -179.5 }, 69],
    [{ latitude: 0, longitude: 0 }, { latitude: 0, longitude: 180 }, 12437],
  ])('from %o to %o are %i miles', (from, to, miles) => {
    expect(Math.round(distanceMiles(from, to))).toBe(miles)
    expect(distanceMiles(to, from)).toBeCloseTo(distanceMiles(from, to), 9)
  })

  it('a radius includes its edge and its centre', () => {
    const edge = distanceMiles(newYork, chicago)
    expect(isWithinMiles(newYork, chicago, edge)).toBe(true)
    expect(isWithinMiles(newYork, chicago, edge - 0.001)).toBe(false)
    expect(isWithinMiles(newYork, newYork, 0)).toBe(true)
  })
})
