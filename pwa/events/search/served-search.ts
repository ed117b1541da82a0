import type { PublicEvent } from '#shared/events/event-calls.ts'
import { defaultRadiusMiles, radiusChoicesMiles } from '#shared/events/event-search.ts'
import { usStates } from '#shared/places/us-states.ts'
import { observable, type Observable, serverNow } from '../../sync/index.ts'

export interface Search extends EventFilters {
  readonly text: string
}

const states: readonly string[] = usStates
const radii: readonly number[] = radiusChoicesMiles

/** Ignores values that cannot be chosen. */
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

export function writeSearch({ text, state, zipCode, radiusMiles }: Search): string {
  const address = new URLSearchParams()
  if (text) address.set('q', text)
  if (state) address.set('state', state)
  if (zipCode) address.set('zipCode', zipCode)
  if (radiusMiles !== defaultRadiusMiles) address.set('radius', String(radiusMiles))
  return address.toString()
}

/** Specification, section 2. */
export const noFilters: EventFilters = { state: '', zipCode: '', radiusMiles: defaultRadiusMiles }

/** A distance without a ZIP code counts too, since Clear Filters resets it. */
export function countFilters({ state, zipCode, radiusMiles }: EventFilters): number {
  return Number(state !== '') + Number(zipCode !== '' || radiusMiles !== defaultRadiusMiles)
}

/** '' is every state, or no ZIP code. */
export interface EventFilters {
  readonly state: string
  readonly zipCode: string
  readonly radiusMiles: number
}

/** `events` is null when the server did not answer; `asOf` is ISO. */
export interface Served {
  readonly key: string
  readonly events: readonly PublicEvent[] | null
  readonly asOf: string
}

/** ZIP code and radius are sent only together (specification, section 7). */
export function queryOf({ state, zipCode, radiusMiles }: EventFilters) {
  return { ...(state && { state }), ...(zipCode && { zipCode, radius: radiusMiles }) }
}

/** Equal for searches that are the same for the server; '' for the whole list. */
export function keyOf(filters: EventFilters): string {
  return new URLSearchParams(Object.entries(queryOf(filters)).map(([name, value]) => [name, String(value)])).toString()
}

const pauseMs = 250

export interface ServedSearch {
  readonly newest: Observable<Served | null>
  /** Aborts an earlier request. Never rejects. */
  ask(filters: EventFilters): Promise<void>
}

/** A late answer never replaces a newer one. */
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
