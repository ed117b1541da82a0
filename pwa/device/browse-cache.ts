import Dexie, { type EntityTable } from 'dexie'
import type { PublicBeacon } from '#shared/applications/application-calls.ts'
import type { PublicEvent } from '#shared/events/event-calls.ts'
import { byStart } from '#shared/events/by-start.ts'
import { call, Refused, serverNow, questions } from '../sync/index.ts'

interface KeptEvent {
  id: number
  event: PublicEvent
  /** The server last said so at this time (ISO). */
  asOf: string
  /** Tells whether the newest list of upcoming events had it. */
  listed: 0 | 1
}

interface KeptBeacons {
  eventId: number
  beacons: readonly PublicBeacon[]
  asOf: string
}

interface KeptList {
  name: string
  asOf: string
  /** It is true if the server had more. */
  isCut?: boolean
}

/** Nothing private is ever kept in it. */
export const browseDb = new Dexie('beaconry-browse') as Dexie & {
  events: EntityTable<KeptEvent, 'id'>
  beacons: EntityTable<KeptBeacons, 'eventId'>
  lists: EntityTable<KeptList, 'name'>
}
browseDb.version(1).stores({ events: 'id, asOf, listed', beacons: 'eventId, asOf', lists: 'name' })

export const maxEvents = 500

export async function keptEventList(): Promise<questions.Kept<readonly PublicEvent[]> | undefined> {
  const list = await browseDb.lists.get('list')
  if (!list) return undefined
  const rows = await browseDb.events.where('listed').equals(1).toArray()
  const value = rows.map(({ event }) => event).sort(byStart)
  if (list.isCut) questions.noteCut(value)
  return { value, asOf: list.asOf }
}

export async function keepEventList(events: readonly PublicEvent[], asOf: string): Promise<void> {
  await browseDb.transaction('rw', browseDb.events, browseDb.beacons, browseDb.lists, async () => {
    const listed = new Set(events.map(({ id }) => id))
    await browseDb.events
      .where('listed')
      .equals(1)
      .filter(({ id }) => !listed.has(id))
      .modify({ listed: 0 })
    await browseDb.events.bulkPut(events.slice(0, maxEvents).map((event) => ({ id: event.id, event, asOf, listed: 1 })))
    await browseDb.lists.put({ name: 'list', asOf, isCut: questions.isCut(events) })
    await dropOldest()
  })
}

export async function keptEvent(id: number): Promise<questions.Kept<PublicEvent> | undefined> {
  const row = await browseDb.events.get(id)
  return row && { value: row.event, asOf: row.asOf }
}

export async function keepEvent(event: PublicEvent, asOf: string): Promise<void> {
  await browseDb.transaction('rw', browseDb.events, browseDb.beacons, async () => {
    const before = await browseDb.events.get(event.id)
    await browseDb.events.put({ id: event.id, event, asOf, listed: before?.listed ?? 0 })
    await dropOldest()
  })
}

export async function forgetEvent(id: number): Promise<void> {
  await browseDb.transaction('rw', browseDb.events, browseDb.beacons, async () => {
    await browseDb.events.delete(id)
    await browseDb.beacons.delete(id)
  })
}

export async function keptBeacons(eventId: number): Promise<questions.Kept<readonly PublicBeacon[]> | undefined> {
  const row = await browseDb.beacons.get(eventId)
  return row && { value: row.beacons, asOf: row.asOf }
}

export async function keepBeacons(eventId: number, beacons: readonly PublicBeacon[], asOf: string): Promise<void> {
  await browseDb.beacons.put({ eventId, beacons, asOf })
}

/** Runs inside a transaction over events and beacons. */
async function dropOldest(): Promise<void> {
  const surplus = (await browseDb.events.count()) - maxEvents
  if (surplus <= 0) return
  const oldest = await browseDb.events.orderBy('asOf').limit(surplus).primaryKeys()
  await browseDb.events.bulkDelete(oldest)
  await browseDb.beacons.bulkDelete(oldest)
}

/** More would cost a visitor's data for pages that are seldom opened. */
const maxPrefetched = 30
const freshMs = 3_600_000
const pauseMs = 150

let running = false

/** Stops at the first failure, and does nothing for people who save data. */
export async function prefetchBeacons(events: readonly Pick<PublicEvent, 'id'>[]): Promise<void> {
  const connection = (navigator as { connection?: { saveData?: boolean } }).connection
  if (running || connection?.saveData) return
  running = true
  try {
    for (const { id } of events.slice(0, maxPrefetched)) {
      const kept = await keptBeacons(id)
      if (kept && serverNow().getTime() - Date.parse(kept.asOf) < freshMs) continue
      try {
        await keepBeacons(id, await call('listBeacons', { params: { id } }), serverNow().toISOString())
      } catch (error) {
        if (!(error instanceof Refused) || error.status !== 404) return
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  } finally {
    running = false
  }
}
