import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { mainZoneOf } from '#shared/time/event-time.ts'
import { type Coordinates, readZipTable, type ZipTable } from '#shared/places/zip-table.ts'

/** Where an event is, as far as its address tells. */
export interface EventPlace {
  /** IANA name. */
  readonly timeZone: string
  readonly latitude: number | null
  readonly longitude: number | null
}

let table: Promise<ZipTable> | undefined

/** The very file that phones fetch; found from the sources and from the built server alike. Read when it is first needed, once. */
function zipTable(): Promise<ZipTable> {
  table ??= readFile(createRequire(import.meta.url).resolve('#shared/places/zip-codes.bin')).then(readZipTable)
  return table
}

/** The centre of a ZIP code's area; undefined for an unknown code. */
export async function zipCentre(zipCode: string): Promise<Coordinates | undefined> {
  return (await zipTable()).centreOf(zipCode)
}

/**
 * An event's coordinates and time zone: from its ZIP code's centre; without a known ZIP code from its state's main zone;
 * without either, New York. A centre so near the border that its zone is another country's takes the state's.
 */
export async function placeOf(event: {
  readonly zipCode: string | null
  readonly state: string | null
}): Promise<EventPlace> {
  const centre = event.zipCode === null ? undefined : await zipCentre(event.zipCode)
  if (!centre) return { timeZone: mainZoneOf(event.state), latitude: null, longitude: null }
  // Its own table of zones is large, and read with the first event that needs it.
  const { default: zoneAt } = await import('@photostructure/tz-lookup')
  const zone = zoneAt(centre.latitude, centre.longitude)
  return { timeZone: isAmerican(zone) ? zone : mainZoneOf(event.state), ...centre }
}

const otherAmericanZones = new Set([
  'America/New_York',
  'America/Detroit',
  'America/Chicago',
  'America/Menominee',
  'America/Denver',
  'America/Boise',
  'America/Phoenix',
  'America/Los_Angeles',
  'America/Anchorage',
  'America/Juneau',
  'America/Sitka',
  'America/Metlakatla',
  'America/Yakutat',
  'America/Nome',
  'America/Adak',
  'Pacific/Honolulu',
  'America/Puerto_Rico',
  'America/St_Thomas',
  'Pacific/Guam',
  'Pacific/Saipan',
  'Pacific/Pago_Pago',
  'America/Indianapolis',
  'America/Louisville',
])

function isAmerican(zone: string): boolean {
  return otherAmericanZones.has(zone) || /^America\/(Indiana|Kentucky|North_Dakota)\//.test(zone)
}
