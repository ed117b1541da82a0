export interface Coordinates {
  /** Degrees. */
  readonly latitude: number
  readonly longitude: number
}

const earthRadiusMiles = 3958.7613
const radians = (degrees: number) => (degrees * Math.PI) / 180

/** Great-circle distance in miles (haversine on the mean radius). */
export function distanceMiles(from: Coordinates, to: Coordinates): number {
  const latitudes = Math.sin(radians(to.latitude - from.latitude) / 2) ** 2
  const longitudes = Math.sin(radians(to.longitude - from.longitude) / 2) ** 2
  const chord = latitudes + Math.cos(radians(from.latitude)) * Math.cos(radians(to.latitude)) * longitudes
  // Rounding may push the chord of two opposite points above 1.
  return 2 * earthRadiusMiles * Math.asin(Math.min(1, Math.sqrt(chord)))
}

/** Whether a place lies within a radius, its edge included; the same answer on the phone and on the server. */
export function isWithinMiles(centre: Coordinates, place: Coordinates, radiusMiles: number): boolean {
  return distanceMiles(centre, place) <= radiusMiles
}
