import { milesPerDegree, type Coordinates } from '#shared/places/zip-table.ts'

/** Degrees; `west` may be below -180 and `east` above 180, where the box crosses the date line. */
export interface SearchBox {
  readonly west: number
  readonly south: number
  readonly east: number
  readonly north: number
}

/** Rounding must not leave out a place on the edge. */
const slack = 1.001

/**
 * Boxes that hold every place within so many miles, and some that are farther away; a second one, where the first
 * crosses the date line, holds those that have longitudes of the other side.
 */
export function listSearchBoxes({ latitude, longitude }: Coordinates, miles: number): readonly SearchBox[] {
  const high = (miles / milesPerDegree) * slack
  const north = latitude + high
  const south = latitude - high
  const radians = (degrees: number) => (degrees * Math.PI) / 180
  const isAroundPole = north >= 90 || south <= -90
  const wide = isAroundPole
    ? 180
    : (Math.asin(Math.sin(radians(high)) / Math.cos(radians(latitude))) * slack * 180) / Math.PI
  const box = { west: longitude - wide, south, east: longitude + wide, north }
  const shifted = (by: number) => ({ ...box, west: box.west + by, east: box.east + by })
  return [box, ...(box.west < -180 ? [shifted(360)] : []), ...(box.east > 180 ? [shifted(-360)] : [])]
}
