import type { PublicEvent } from '#shared/events/event-calls.ts'
import { defaultRadiusMiles, radiusChoicesMiles } from '#shared/events/event-search.ts'
import { usStates } from '#shared/places/us-states.ts'
import { call, questions } from '../../sync/index.ts'

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

/** The specification has this radius (section 2). */
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

const longestText = 200

/** ZIP code and radius are sent only together (specification, section 7). */
export function queryOf({ state, zipCode, radiusMiles }: EventFilters, text = '') {
  const q = text.trim().slice(0, longestText)
  return { ...(state && { state }), ...(zipCode && { zipCode, radius: radiusMiles }), ...(q && { q }) }
}

/** Keys are equal for searches that are the same for the server; '' is the whole list. */
export function keyOf(filters: EventFilters, text = ''): string {
  return new URLSearchParams(
    Object.entries(queryOf(filters, text)).map(([name, value]) => [name, String(value)]),
  ).toString()
}

/** A text is sent only where the device does not hold every event: there it is found without the server. */
export function textToAsk(list: readonly PublicEvent[] | null, text: string): string {
  return list !== null && questions.isCut(list) ? text : ''
}

const pauseMs = 250
let askedAtMs = -Infinity
/** This is the latest search, also when another page was looked at since. */
let latest: { readonly key: string; readonly question: questions.Question<readonly PublicEvent[]> } | undefined

/** Asks the server. Of searches in quick succession only the last one reaches it: leaving one aborts its request. */
export function servedSearch(filters: EventFilters, text = ''): questions.Question<readonly PublicEvent[]> {
  const key = keyOf(filters, text)
  if (latest?.key === key) return latest.question
  const question = questions.createQuestion<readonly PublicEvent[]>({
    async call(signal) {
      const isSoon = Date.now() - askedAtMs < pauseMs
      askedAtMs = Date.now()
      if (isSoon) await new Promise((resolve) => setTimeout(resolve, pauseMs))
      signal.throwIfAborted()
      return await call('listEvents', { query: queryOf(filters, text), signal })
    },
  })
  latest = { key, question }
  return question
}
