import type { PublicBeacon } from '#shared/applications/application-calls.ts'
import type { PublicEvent } from '#shared/events/event-calls.ts'
import { call } from '../api/call.ts'
import { hasDatabase } from '../api/kept-databases.ts'
import { createQuestion, type AnswerState, type Question, type QuestionOptions } from '../api/question.ts'
import { serverNow } from '../api/server-time.ts'
import { takeToldEvent } from './told-event.ts'
import type { Public } from './use-public-events.ts'

/** What is kept brings Dexie along, which a first paint must not wait for. */
const cache = () => import('./browse-cache.ts')

/** For reading: undefined where nothing was ever kept, so that Dexie is not loaded to find nothing. */
const keptCache = async () => ((await isCacheThere()) ? await cache() : undefined)
const isCacheThere = () => hasDatabase((name) => name === 'beaconry-browse')

/** For keeping: the first time Dexie has to be fetched for it, and waits until the page has what it needs itself. */
async function cacheInTime() {
  if (!(await isCacheThere())) await quiet()
  return await cache()
}

async function quiet(): Promise<void> {
  if (document.readyState !== 'complete')
    await new Promise((resolve) => addEventListener('load', resolve, { once: true }))
  if ('requestIdleCallback' in globalThis)
    await new Promise((resolve) => requestIdleCallback(resolve, { timeout: quietMs }))
}
const quietMs = 1_000

/** Public things are everybody's: one question for every page that shows them, and for the visit that comes after. */
const createPublic = <T>(options: Pick<QuestionOptions<T>, 'call' | 'place'>): Question<T> =>
  createQuestion({ ...options, missingStatuses: [400, 404], goesOn: true })

/** An answer as public pages read it. */
export function publicOf<T>({ answer, asOf, failure }: AnswerState<T>): Public<T> {
  if (answer !== null && asOf !== null) return { status: 'ready', value: answer, asOf, stale: failure !== null }
  const status = failure === null ? 'loading' : failure.kind === 'missing' ? 'missing' : 'unreachable'
  return { status, value: null, asOf: null, stale: false }
}

const eventQuestions = new Map<number, Question<PublicEvent>>()
const beaconQuestions = new Map<number, Question<readonly PublicBeacon[]>>()
let list: ReturnType<typeof createEventList> | undefined

/** Upcoming events as they are painted. `load` asks the server; it never rejects, and several at once are one. */
export function eventsSource(): ReturnType<typeof createEventList> {
  list ??= createEventList()
  return list
}

function createEventList() {
  const { get, subscribe, ask } = createPublic<readonly PublicEvent[]>({
    call: () => call('listEvents', { query: {} }),
    place: {
      read: async () => (await keptCache())?.keptEventList(),
      async keep({ value, asOf }) {
        await (await cacheInTime()).keepEventList(value, asOf)
        await (await import('./prefetch.ts')).prefetchBeacons(value)
        await (await import('./zip-codes.ts')).fetchZipTableAhead()
      },
    },
  })
  let shown = publicOf(get())
  return {
    get() {
      const next = publicOf(get())
      const isSame = next.status === shown.status && next.value === shown.value && next.stale === shown.stale
      // Another object would be another value to React, and every search would be made once more for nothing.
      if (!isSame || next.asOf !== shown.asOf) shown = next
      return shown
    },
    subscribe,
    load: ask,
  }
}

/** One event by its number. */
export function eventQuestion(id: number): Question<PublicEvent> {
  const question =
    eventQuestions.get(id) ??
    createPublic<PublicEvent>({
      call: () => call('getEvent', { params: { id } }),
      place: {
        readNow() {
          const told = takeToldEvent(id)
          return told && { value: told, asOf: serverNow().toISOString() }
        },
        read: async () => (await keptCache())?.keptEvent(id),
        keep: async ({ value, asOf }) => (await cacheInTime()).keepEvent(value, asOf),
        forget: async () => (await keptCache())?.forgetEvent(id),
      },
    })
  eventQuestions.set(id, question)
  return question
}

/** An event's approved Beacons. */
export function beaconsQuestion(eventId: number): Question<readonly PublicBeacon[]> {
  const question =
    beaconQuestions.get(eventId) ??
    createPublic<readonly PublicBeacon[]>({
      call: () => call('listBeacons', { params: { id: eventId } }),
      place: {
        read: async () => (await keptCache())?.keptBeacons(eventId),
        keep: async ({ value, asOf }) => (await cacheInTime()).keepBeacons(eventId, value, asOf),
      },
    })
  beaconQuestions.set(eventId, question)
  return question
}
