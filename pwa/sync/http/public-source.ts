import type { PublicBeacon } from '#shared/applications/application-calls.ts'
import type { PublicEvent } from '#shared/events/event-calls.ts'
import { toldEventId } from '#shared/site/pages.ts'
import { call } from './call.ts'
import { hasDatabase } from './browser-storage.ts'
import { type Answered, createQuestion, type Question, type QuestionOptions, useAnswer, type When } from './question.ts'
import { serverNow } from './server-time.ts'

/** Loads Dexie, which a first paint must not wait for. */
const cache = () => import('./browse-cache.ts')

/** Undefined where nothing was ever kept: Dexie is not loaded to find nothing. */
const keptCache = async () => ((await isCacheThere()) ? await cache() : undefined)
const isCacheThere = () => hasDatabase((name) => name === 'beaconry-browse')

/** The first load of Dexie waits until the page has what it needs. */
async function cacheInTime() {
  if (!(await isCacheThere())) await pageIsIdle()
  return await cache()
}

async function pageIsIdle(): Promise<void> {
  if (document.readyState !== 'complete')
    await new Promise((resolve) => addEventListener('load', resolve, { once: true }))
  if ('requestIdleCallback' in globalThis)
    await new Promise((resolve) => requestIdleCallback(resolve, { timeout: idleTimeoutMs }))
}
const idleTimeoutMs = 1_000

const createPublic = <T>(options: Pick<QuestionOptions<T>, 'call' | 'cache'>): Question<T> =>
  createQuestion({ ...options, missingStatuses: [400, 404], goesOn: true })

/** Written into the page by the server for the first paint. Returned once: later answers are newer. */
function takeToldEvent(id: number): PublicEvent | undefined {
  const element = document.getElementById(toldEventId)
  if (!element) return undefined
  const event = JSON.parse(element.textContent) as PublicEvent
  if (event.id !== id) return undefined
  element.remove()
  return event
}

export const publicEvents = createPublic<readonly PublicEvent[]>({
  call: () => call('listEvents', { query: { limit: 500 } }),
  cache: {
    read: async () => (await keptCache())?.keptEventList(),
    async keep({ value, asOf }) {
      await (await cacheInTime()).keepEventList(value, asOf)
      await (await cache()).prefetchBeacons(value)
      await (await import('./zip-codes.ts')).fetchZipTableAhead()
    },
  },
})

function perId<T>(create: (id: number) => Question<T>): (id: number) => Question<T> {
  const questions = new Map<number, Question<T>>()
  return (id) => {
    const question = questions.get(id) ?? create(id)
    questions.set(id, question)
    return question
  }
}

const eventQuestion = perId((id) =>
  createPublic<PublicEvent>({
    call: () => call('getEvent', { params: { id } }),
    cache: {
      readNow() {
        const told = takeToldEvent(id)
        return told && { value: told, asOf: serverNow().toISOString() }
      },
      read: async () => (await keptCache())?.keptEvent(id),
      keep: async ({ value, asOf }) => (await cacheInTime()).keepEvent(value, asOf),
      forget: async () => (await keptCache())?.forgetEvent(id),
    },
  }),
)

const beaconsQuestion = perId((eventId) =>
  createPublic<readonly PublicBeacon[]>({
    call: () => call('listBeacons', { params: { id: eventId } }),
    cache: {
      read: async () => (await keptCache())?.keptBeacons(eventId),
      keep: async ({ value, asOf }) => (await cacheInTime()).keepBeacons(eventId, value, asOf),
    },
  }),
)

/** Asked only when the page opens: a newer answer must not interrupt reading. */
const when: When<unknown> = {}

export function usePublicEvent(id: number): Answered<PublicEvent> {
  return useAnswer(eventQuestion(id), when)
}

export function useBeacons(eventId: number): Answered<readonly PublicBeacon[]> {
  return useAnswer(beaconsQuestion(eventId), when)
}
