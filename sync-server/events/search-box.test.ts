import { describe, expect, it } from 'vitest'
import { isWithinMiles, type Coordinates } from '#shared/places/zip-table.ts'
import { listSearchBoxes } from './search-box.ts'

const isHeld = ({ latitude, longitude }: Coordinates, centre: Coordinates, miles: number) =>
  listSearchBoxes(centre, miles).some(
    ({ west, south, east, north }) => longitude >= west && longitude <= east && latitude >= south && latitude <= north,
  )

describe('the boxes of a search by distance', () => {
  it.each<[string, Coordinates]>([
    ['Chicago', { latitude: 41.9, longitude: -87.6 }],
    ['Adak, beside the date line', { latitude: 51.9, longitude: -176.7 }],
    ['Guam', { latitude: 13.5, longitude: 144.8 }],
    ['Utqiagvik', { latitude: 71.3, longitude: -156.8 }],
    ['a place beside the pole', { latitude: 88, longitude: 10 }],
  ])('hold every place that is near enough to %s', (_, centre) => {
    let near = 0
    for (let latitude = -90; latitude <= 90; latitude += 0.5)
      for (let longitude = -180; longitude < 180; longitude += 0.5) {
        if (!isWithinMiles(centre, { latitude, longitude }, 250)) continue
        near += 1
        expect(isHeld({ latitude, longitude }, centre, 250), `${latitude} ${longitude}`).toBe(true)
      }
    expect(near).toBeGreaterThan(100)
  })

  it('leave out what is far away', () => {
    expect(isHeld({ latitude: 43, longitude: -87.9 }, { latitude: 41.9, longitude: -87.6 }, 50)).toBe(false)
  })
})
