import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { mainZoneOf, usStates } from '#shared/places/us-states.ts'
import { type Coordinates, readZipTable, type ZipTable } from '#shared/places/zip-table.ts'

export interface EventPlace {
  /** This is an IANA name. */
  readonly timeZone: string
  readonly latitude: number | null
  readonly longitude: number | null
}

let table: Promise<ZipTable> | undefined

/** The file is found from sources and build alike. */
function zipTable(): Promise<ZipTable> {
  table ??= readFile(createRequire(import.meta.url).resolve('#shared/places/zip-codes.bin')).then(readZipTable)
  return table
}

export async function zipCentre(zipCode: string): Promise<Coordinates | undefined> {
  return (await zipTable()).centreOf(zipCode)
}

/**
 * Takes the ZIP code's centre; without one the state's main zone, else New York's. A centre in another country's zone
 * takes the state's.
 */
export async function placeOf(event: {
  readonly zipCode: string | null
  readonly state: string | null
}): Promise<EventPlace> {
  const centre = event.zipCode === null ? undefined : await zipCentre(event.zipCode)
  if (!centre) return { timeZone: mainZoneOf(event.state), latitude: null, longitude: null }
  // The table is large, so it is loaded with the first event that needs it.
  const { default: zoneAt } = await import('@photostructure/tz-lookup')
  const zone = zoneAt(centre.latitude, centre.longitude)
  return { timeZone: isAmerican(zone) ? zone : mainZoneOf(event.state), ...centre }
}

const americanZones = new Set([
  ...usStates.map(mainZoneOf),
  'America/Menominee',
  'America/Juneau',
  'America/Sitka',
  'America/Metlakatla',
  'America/Yakutat',
  'America/Nome',
  'America/Adak',
  'America/Puerto_Rico',
  'America/St_Thomas',
  'Pacific/Guam',
  'Pacific/Saipan',
  'Pacific/Pago_Pago',
  'America/Indianapolis',
  'America/Louisville',
])

function isAmerican(zone: string): boolean {
  return americanZones.has(zone) || /^America\/(Indiana|Kentucky|North_Dakota)\//.test(zone)
}
