import type { Site } from '#shared/admin/site-calls.ts'
import { call, questions } from '../sync/index.ts'
import { writeText } from '../browser/browser-storage.ts'
import { readJson } from '../browser/kept-json.ts'

/** The data are public and in local storage: a visit without a network reads them without a database. */
const storageKey = 'site'

/** Undefined without a copy, and for anything malformed. */
function keptSite(): { value: Site; asOf: null } | undefined {
  const kept = readJson(storageKey)
  const isSite = typeof kept === 'object' && kept !== null && 'operator' in kept && 'terms' in kept
  return isSite ? { value: kept as Site, asOf: null } : undefined
}

const site = questions.createQuestion<Site>({
  call: (signal) => call('getSite', { signal }),
  cache: { readNow: keptSite, keep: ({ value }) => writeText(storageKey, JSON.stringify(value)) },
})

const when: questions.RefetchOptions<Site> = { reachable: 'after failure' }

/** Answers from this device first, and asks again when the screen opens and when the server is reachable again. */
export const useSite = (): questions.Answered<Site> => questions.useAnswer(site, when)
