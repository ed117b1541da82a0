import type { Site } from '#shared/admin/site-calls.ts'
import { call, createQuestion, useAnswer, writeText, type Answered, type When } from '../sync/index.ts'
import { readJson } from './kept-json.ts'

/** Public data in local storage: readable without a database on a visit without a network. */
const storageKey = 'site'

/** Undefined without a copy, and for anything malformed. */
function keptSite(): { value: Site; asOf: null } | undefined {
  const kept = readJson(storageKey)
  const isSite = typeof kept === 'object' && kept !== null && 'operator' in kept && 'terms' in kept
  return isSite ? { value: kept as Site, asOf: null } : undefined
}

const site = createQuestion<Site>({
  call: (signal) => call('getSite', { signal }),
  cache: { readNow: keptSite, keep: ({ value }) => writeText(storageKey, JSON.stringify(value)) },
})

const when: When<Site> = { reachable: 'after failure' }

/** From this device first; asked anew when the screen opens and when the server is reachable again. */
export const useSite = (): Answered<Site> => useAnswer(site, when)
