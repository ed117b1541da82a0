import { useMemo, useState } from 'react'
import { isExpected } from '#shared/applications/coming.ts'
import { came } from '#shared/applications/presence.ts'
import type { ApplicationDocument, EventDocument } from '#shared/sync/replication-calls.ts'
import { hasEnded } from '#shared/time/event-time.ts'
import { foldedView, type ApplicationRow } from '../../../sync/index.ts'
import { useObservable } from '../../../browser/observable.ts'

type Rows = readonly ApplicationRow[]

/** The event has ended, and has its applications. */
export interface PastEvent {
  readonly event: EventDocument
  readonly rows: Rows
}

interface Beacons {
  readonly event: EventDocument
  /** Tells whether the Beacon of a lower-cased email address came; those who said that they can't are missing. */
  readonly came: ReadonlyMap<string, boolean>
  /** It is false for an event at which no arrivals were noted. */
  readonly isRecorded: boolean
}

const known = new WeakMap<Rows, Beacons>()

/** An event and its rows keep their identity while nothing in them changes, so each event is read once. */
function beaconsOf({ event, rows }: PastEvent): Beacons {
  const before = known.get(rows)
  if (before?.event === event) return before
  const beaconsThen = rows
    .map(({ application }) => application)
    .filter((one) => one.status === 'approved' && isExpected(one))
  const beacons = {
    event,
    came: new Map(beaconsThen.map((one) => [one.email.toLowerCase(), came(one, event)])),
    isRecorded: beaconsThen.some((one) => one.arrivedAt !== null || one.presence !== undefined),
  }
  known.set(rows, beacons)
  return beacons
}

/**
 * Writes 'Beacon at 3 of your events, came to 2', over the events that began before and were not cancelled; it is null
 * for a first-timer.
 */
export function trackRecord(
  { email, eventId }: Pick<ApplicationDocument, 'email' | 'eventId'>,
  past: readonly PastEvent[],
  before: string,
): string | null {
  if (email === '') return null
  const address = email.toLowerCase()
  const events = past
    .filter(({ event }) => event.id !== eventId && event.cancelledAt === undefined && event.startDate < before)
    .map(beaconsOf)
    .filter((beacons) => beacons.came.has(address))
  if (events.length === 0) return null
  const words = `Beacon at ${events.length} of your events`
  if (!events.some(({ isRecorded }) => isRecorded)) return words
  return `${words}, came to ${events.filter((beacons) => beacons.came.get(address)).length || 'none'}`
}

export type TrackRecordOf = (application: ApplicationDocument) => string | null

/**
 * Keeps its identity while the past events stay as they are, so that a tap renders one row again.
 * @param eventId whose applicants are shown; null for several events
 */
export function useTrackRecord(eventId: number | null, now: Date): TrackRecordOf {
  const view = useObservable(foldedView)
  const past = view.events
    .filter(({ event }) => event.id !== eventId && hasEnded(event, now))
    .map(({ event }) => ({ event, rows: view.applicationsOf(event.id) }))
  const [kept, setKept] = useState<readonly PastEvent[]>(past)
  if (!isSame(kept, past)) setKept(past)
  return useMemo(
    () => (application) => {
      const event = foldedView.get().eventById.get(application.eventId)?.event
      return event ? trackRecord(application, kept, event.startDate) : null
    },
    [kept],
  )
}

const isSame = (one: readonly PastEvent[], other: readonly PastEvent[]) =>
  one.length === other.length &&
  one.every(({ event, rows }, index) => event === other[index]?.event && rows === other[index]?.rows)
