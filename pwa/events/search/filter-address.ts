import { defaultRadiusMiles, radiusChoicesMiles } from '#shared/events/event-search.ts'
import { usStates } from '#shared/places/us-states.ts'
import type { EventFilters } from './served-search.ts'

/** Everything the list of events is searched by, as its address says it. */
export interface Search extends EventFilters {
  readonly text: string
}

const states: readonly string[] = usStates
const radii: readonly number[] = radiusChoicesMiles

/** A search as the address has it; what nobody could have chosen counts as not chosen. */
export function readSearch(address: URLSearchParams): Search {
  const state = address.get('state') ?? ''
  const radiusMiles = Number(address.get('radius'))
  return {
    text: address.get('q') ?? '',
    state: states.includes(state) ? state : '',
    zipCode: (address.get('zipCode') ?? '').trim().slice(0, 5),
    radiusMiles: radii.includes(radiusMiles) ? radiusMiles : defaultRadiusMiles,
  }
}

/** The address of a search, short: what is not set is left out. */
export function writeSearch({ text, state, zipCode, radiusMiles }: Search): string {
  const address = new URLSearchParams()
  if (text) address.set('q', text)
  if (state) address.set('state', state)
  if (zipCode) address.set('zipCode', zipCode)
  if (radiusMiles !== defaultRadiusMiles) address.set('radius', String(radiusMiles))
  return address.toString()
}

/** No state, no ZIP code, 50 miles (specification, section 2). */
export const noFilters: EventFilters = { state: '', zipCode: '', radiusMiles: defaultRadiusMiles }

/** How many filters are set; a distance without a ZIP code counts as well, for Clear Filters takes it back. */
export function countFilters({ state, zipCode, radiusMiles }: EventFilters): number {
  return Number(state !== '') + Number(zipCode !== '' || radiusMiles !== defaultRadiusMiles)
}
