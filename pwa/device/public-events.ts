import type { PublicBeacon } from '#shared/applications/application-calls.ts'
import type { PublicEvent } from '#shared/events/event-calls.ts'
import { toldEventId } from '#shared/site/pages.ts'
import { call, serverNow, questions } from '../sync/index.ts'
import { hasDatabase } from '../browser/browser-storage.ts'

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

const createPublic = <T>(options: Pick<questions.QuestionOptions<T>, 'call' | 'cache'>): questions.Question<T> =>
  questions.createQuestion({ ...options, missingStatuses: [400, 404], outlivesFollowers: true })

/**
 * The server has written it into the page for the first paint. It is returned once, because later answers are newer.
 */
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
    },
  },
})

function perId<T>(create: (id: number) => questions.Question<T>): (id: number) => questions.Question<T> {
  const created = new Map<number, questions.Question<T>>()
  return (id) => {
    const question = created.get(id) ?? create(id)
    created.set(id, question)
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
const when: questions.RefetchOptions<unknown> = {}

export function usePublicEvent(id: number): questions.Answered<PublicEvent> {
  return questions.useAnswer(eventQuestion(id), when)
}

export function useBeacons(eventId: number): questions.Answered<readonly PublicBeacon[]> {
  return questions.useAnswer(beaconsQuestion(eventId), when)
}
