export interface Coordinates {
  /** Both are in degrees. */
  readonly latitude: number
  readonly longitude: number
}

const earthRadiusMiles = 3958.7613
const radians = (degrees: number) => (degrees * Math.PI) / 180
/** Measured along a meridian. */
export const milesPerDegree = radians(earthRadiusMiles)

/** Uses the haversine formula on the mean radius. */
export function distanceMiles(from: Coordinates, to: Coordinates): number {
  const latitudes = Math.sin(radians(to.latitude - from.latitude) / 2) ** 2
  const longitudes = Math.sin(radians(to.longitude - from.longitude) / 2) ** 2
  const chord = latitudes + Math.cos(radians(from.latitude)) * Math.cos(radians(to.latitude)) * longitudes
  // Rounding may push it above 1 for opposite points.
  return 2 * earthRadiusMiles * Math.asin(Math.min(1, Math.sqrt(chord)))
}

/** Includes the edge. Phone and server ask the same function. */
export function isWithinMiles(centre: Coordinates, place: Coordinates, radiusMiles: number): boolean {
  return distanceMiles(centre, place) <= radiusMiles
}

/*
 * Reads zip-codes.bin (sources in zip-codes-sources.md): 'BZC1'; 12,500 bytes with a bit for each code 00000–99999,
 * lowest bit first; then for each present code, ascending, the latitude's difference from the code before in hundredths
 * of a degree; then the longitudes'. Differences are zigzag varints. Rounding moves a centre by 0.5 miles at most.
 */

export const zipTableSignature = 'BZC1'
export const maxZipCodes = 100_000
export const zipTableStepsPerDegree = 100
const bitmapBytes = maxZipCodes / 8
/** No latitude in hundredths of a degree has this value. */
const absent = 0x7fff

export interface ZipTable {
  readonly count: number
  /** Returns undefined for an unknown code, and for text that is no ZIP code. */
  centreOf(zipCode: string): Coordinates | undefined
}

export function isZipCode(text: string): boolean {
  return /^\d{5}$/.test(text)
}

/** @throws Error for anything but zip-codes.bin, such as a portal's page */
export function readZipTable(bytes: Uint8Array): ZipTable {
  const start = zipTableSignature.length
  const signature = String.fromCharCode(...bytes.subarray(0, start))
  if (signature !== zipTableSignature || bytes.length < start + bitmapBytes)
    throw new Error('This is not the ZIP code table')
  const codes: number[] = []
  for (let code = 0; code < maxZipCodes; code += 1)
    if (((bytes[start + (code >> 3)] ?? 0) >> (code & 7)) & 1) codes.push(code)

  let at = start + bitmapBytes
  const readColumn = (): Int16Array => {
    const column = new Int16Array(maxZipCodes).fill(absent)
    let value = 0
    for (const code of codes) {
      let zigzag = 0
      let byte = 0
      let shift = 0
      do {
        byte = bytes[at] ?? 0
        at += 1
        zigzag |= (byte & 0x7f) << shift
        shift += 7
      } while (byte & 0x80)
      value += zigzag & 1 ? -(zigzag + 1) / 2 : zigzag / 2
      column[code] = value
    }
    return column
  }
  const latitudes = readColumn()
  const longitudes = readColumn()
  if (at !== bytes.length) throw new Error('The ZIP code table is not whole')

  return {
    count: codes.length,
    centreOf(zipCode) {
      if (!isZipCode(zipCode)) return undefined
      const latitude = latitudes[Number(zipCode)] ?? absent
      const longitude = longitudes[Number(zipCode)] ?? absent
      if (latitude === absent) return undefined
      return { latitude: latitude / zipTableStepsPerDegree, longitude: longitude / zipTableStepsPerDegree }
    },
  }
}
