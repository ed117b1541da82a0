import type { PublicBeacon } from '#shared/applications/application-calls.ts'
import type { PublicEvent } from '#shared/events/event-calls.ts'
import { call, Refused } from '../api/call.ts'
import { hasDatabase } from '../api/kept-databases.ts'
import { serverNow } from '../api/server-time.ts'
import type { Kept } from './browse-cache.ts'
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

/** One public thing with everybody who looks at it: what is painted, and how to ask the server again. */
export interface Source<T> {
  get(): Public<T>
  subscribe(listener: () => void): () => void
  /** Asks the server; resolves, never rejects, when it has answered or cannot be reached. Several at once are one. */
  readonly load: () => Promise<void>
}

interface Place<T> {
  /** What came with the page itself; without it the disk is asked. */
  told?(): T | undefined
  read(): Promise<Kept<T> | undefined>
  fetch(): Promise<T>
  keep(value: T, asOf: string): Promise<void>
  /** The server does not have it. */
  forget?(): Promise<void>
}

const absent = (status: 'loading' | 'unreachable' | 'missing') =>
  ({ status, value: null, asOf: null, stale: false }) as const

function createSource<T>(place: Place<T>): Source<T> {
  const told = place.told?.()
  let current: Public<T> =
    told === undefined
      ? absent('loading')
      : { status: 'ready', value: told, asOf: serverNow().toISOString(), stale: false }
  let loading: Promise<void> | null = null
  const listeners = new Set<() => void>()

  function show(next: Public<T>): void {
    current = next
    for (const listener of Array.from(listeners)) listener()
  }

  async function readKept(): Promise<void> {
    const kept = await place.read().catch(() => undefined)
    if (kept && current.status === 'loading')
      show({ status: 'ready', value: kept.value, asOf: kept.asOf, stale: false })
  }

  async function ask(): Promise<void> {
    const reading = current.status === 'loading' ? readKept() : Promise.resolve()
    try {
      const value = await place.fetch()
      const asOf = serverNow().toISOString()
      show({ status: 'ready', value, asOf, stale: false })
      // Nobody waits for the disk, nor for what is fetched ahead.
      void place.keep(value, asOf).catch(() => undefined)
    } catch (error) {
      if (error instanceof Refused && (error.status === 404 || error.status === 400)) {
        await place.forget?.().catch(() => undefined)
        show(absent('missing'))
        return
      }
      await reading
      show(current.status === 'ready' ? { ...current, stale: true } : absent('unreachable'))
    }
  }

  return {
    get: () => current,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    load() {
      loading ??= ask().finally(() => {
        loading = null
      })
      return loading
    },
  }
}

const eventSources = new Map<number, Source<PublicEvent>>()
const beaconSources = new Map<number, Source<readonly PublicBeacon[]>>()
let listSource: Source<readonly PublicEvent[]> | undefined

/** Upcoming events. */
export function eventsSource(): Source<readonly PublicEvent[]> {
  listSource ??= createSource({
    read: async () => (await keptCache())?.keptEventList(),
    fetch: () => call('listEvents', { query: {} }),
    keep: async (events, asOf) => {
      await (await cacheInTime()).keepEventList(events, asOf)
      await (await import('./prefetch.ts')).prefetchBeacons(events)
      await (await import('./zip-codes.ts')).fetchZipTableAhead()
    },
  })
  return listSource
}

/** One event by its number. */
export function eventSource(id: number): Source<PublicEvent> {
  const source =
    eventSources.get(id) ??
    createSource({
      told: () => takeToldEvent(id),
      read: async () => (await keptCache())?.keptEvent(id),
      fetch: () => call('getEvent', { params: { id } }),
      keep: async (event, asOf) => (await cacheInTime()).keepEvent(event, asOf),
      forget: async () => (await keptCache())?.forgetEvent(id),
    })
  eventSources.set(id, source)
  return source
}

/** An event's approved Beacons. */
export function beaconsSource(eventId: number): Source<readonly PublicBeacon[]> {
  const source =
    beaconSources.get(eventId) ??
    createSource({
      read: async () => (await keptCache())?.keptBeacons(eventId),
      fetch: () => call('listBeacons', { params: { id: eventId } }),
      keep: async (beacons, asOf) => (await cacheInTime()).keepBeacons(eventId, beacons, asOf),
    })
  beaconSources.set(eventId, source)
  return source
}

/** Forgets what the page holds in memory; after the device's storage was cleared. */
export function forgetSources(): void {
  eventSources.clear()
  beaconSources.clear()
  listSource = undefined
}
