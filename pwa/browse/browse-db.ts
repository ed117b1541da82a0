import Dexie, { type EntityTable } from 'dexie'
import type { PublicBeacon } from '#shared/applications/application-calls.ts'
import type { PublicEvent } from '#shared/events/event-calls.ts'

interface KeptEvent {
  id: number
  event: PublicEvent
  /** When the server last said so (ISO). */
  asOf: string
  /** Whether the newest list of upcoming events had it. */
  listed: 0 | 1
}

interface KeptBeacons {
  eventId: number
  beacons: readonly PublicBeacon[]
  asOf: string
}

interface KeptMark {
  name: string
  asOf: string
}

/** What visitors saw or will want: public events and approved Beacons, never anything private. */
export const browseDb = new Dexie('beaconry-browse') as Dexie & {
  events: EntityTable<KeptEvent, 'id'>
  beacons: EntityTable<KeptBeacons, 'eventId'>
  marks: EntityTable<KeptMark, 'name'>
}
browseDb.version(1).stores({ events: 'id, asOf, listed', beacons: 'eventId, asOf', marks: 'name' })
