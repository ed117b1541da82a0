const eastern = 'America/New_York'
const central = 'America/Chicago'
const mountain = 'America/Denver'
const pacific = 'America/Los_Angeles'

/**
 * The 50 states, each with the zone of most of its people: 14 have two. Events in Washington, DC have a city and no
 * state.
 */
const mainZones = {
  Alabama: central,
  Alaska: 'America/Anchorage',
  Arizona: 'America/Phoenix',
  Arkansas: central,
  California: pacific,
  Colorado: mountain,
  Connecticut: eastern,
  Delaware: eastern,
  Florida: eastern,
  Georgia: eastern,
  Hawaii: 'Pacific/Honolulu',
  Idaho: 'America/Boise',
  Illinois: central,
  Indiana: 'America/Indiana/Indianapolis',
  Iowa: central,
  Kansas: central,
  Kentucky: eastern,
  Louisiana: central,
  Maine: eastern,
  Maryland: eastern,
  Massachusetts: eastern,
  Michigan: 'America/Detroit',
  Minnesota: central,
  Mississippi: central,
  Missouri: central,
  Montana: mountain,
  Nebraska: central,
  Nevada: pacific,
  'New Hampshire': eastern,
  'New Jersey': eastern,
  'New Mexico': mountain,
  'New York': eastern,
  'North Carolina': eastern,
  'North Dakota': central,
  Ohio: eastern,
  Oklahoma: central,
  Oregon: pacific,
  Pennsylvania: eastern,
  'Rhode Island': eastern,
  'South Carolina': eastern,
  'South Dakota': central,
  Tennessee: central,
  Texas: central,
  Utah: mountain,
  Vermont: eastern,
  Virginia: eastern,
  Washington: pacific,
  'West Virginia': eastern,
  Wisconsin: central,
  Wyoming: mountain,
} as const

export const usStates = Object.keys(mainZones) as (keyof typeof mainZones)[]

/** Takes the full name. Without a state the zone is Washington, DC's. */
export function mainZoneOf(state: string | null | undefined): string {
  const zones: Readonly<Record<string, string>> = mainZones
  return (state && zones[state]) || eastern
}
