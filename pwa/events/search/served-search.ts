import type { PublicEvent } from '#shared/events/event-calls.ts'
import { defaultRadiusMiles, radiusChoicesMiles } from '#shared/events/event-search.ts'
import { usStates } from '#shared/places/us-states.ts'
import { observable, type Observable, serverNow } from '../../sync/index.ts'

/** Everything the list of events is searched by, as its address says it. */
export interface Search extends EventFilters {
  readonly text: string
}

const states: readonly string[] = usStates
const radii: readonly number[] = radiusChoicesMiles

/** A search as the address has it; values that cannot be chosen are ignored. */
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

/** What the list of events is narrowed by: '' is every state, or no ZIP code. */
export interface EventFilters {
  readonly state: string
  readonly zipCode: string
  readonly radiusMiles: number
}

/** The server's word on one search. `events` is null when it gave none. */
export interface Served {
  readonly key: string
  readonly events: readonly PublicEvent[] | null
  /** When it said so (ISO). */
  readonly asOf: string
}

/** The query of the call: state left out for all, ZIP code and radius only together (specification, section 7). */
export function queryOf({ state, zipCode, radiusMiles }: EventFilters) {
  return { ...(state && { state }), ...(zipCode && { zipCode, radius: radiusMiles }) }
}

/** Equal for searches that the server cannot tell apart; '' for the whole list. */
export function keyOf(filters: EventFilters): string {
  return new URLSearchParams(Object.entries(queryOf(filters)).map(([name, value]) => [name, String(value)])).toString()
}

/** Searches that follow each other faster than this are one: the last. */
const pauseMs = 250

export interface ServedSearch {
  /** Of the newest search that was answered; null before the first. */
  readonly newest: Observable<Served | null>
  /** Asks, and aborts an earlier request that is still pending. Resolves, never rejects. */
  ask(filters: EventFilters): Promise<void>
}

/** Asks the server for one search at a time. A late answer never takes the place of a newer one. */
export function createServedSearch(
  fetchEvents: (query: ReturnType<typeof queryOf>, signal: AbortSignal) => Promise<readonly PublicEvent[]>,
  wait: (ms: number) => Promise<void> = (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
): ServedSearch {
  const newest = observable<Served | null>(null)
  let asking: AbortController | undefined
  let askedAtMs = -Infinity
  return {
    newest,
    async ask(filters) {
      asking?.abort()
      const mine = new AbortController()
      asking = mine
      const { signal } = mine
      const soonMs = askedAtMs + pauseMs - Date.now()
      askedAtMs = Date.now()
      if (soonMs > 0) await wait(pauseMs)
      const show = (events: readonly PublicEvent[] | null) => {
        if (!signal.aborted) newest.set({ key: keyOf(filters), events, asOf: serverNow().toISOString() })
      }
      if (signal.aborted) return
      try {
        show(await fetchEvents(queryOf(filters), signal))
      } catch {
        show(null)
      }
    },
  }
}
