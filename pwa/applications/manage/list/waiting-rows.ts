import { byNewest } from '#shared/applications/by-newest.ts'
import type { ApplicationRow, EventRow } from '../../../sync/index.ts'

interface Applications {
  readonly events: readonly EventRow[]
  applicationsOf(eventId: number): readonly ApplicationRow[]
}

/**
 * Collects all that is pending over all events, and what was decided since, which may be undone. Events whose
 * applications did not change since the call before are not read again.
 * @returns rows newest first; deleted ones go
 */
export function collectWaiting(): (view: Applications) => readonly ApplicationRow[] {
  const read = new Map<number, readonly ApplicationRow[]>()
  const waited = new Set<number>()
  let found: readonly ApplicationRow[] = []
  return ({ events, applicationsOf }) => {
    const changed = new Set<number>()
    const fresh = new Map<number, ApplicationRow>()
    for (const eventId of new Set([...read.keys(), ...events.map(({ event }) => event.id)])) {
      const rows = applicationsOf(eventId)
      if (rows === read.get(eventId)) continue
      read.set(eventId, rows)
      changed.add(eventId)
      for (const row of rows) {
        const { id, status } = row.application
        if (status === 'pending') waited.add(id)
        if (waited.has(id)) fresh.set(id, row)
      }
    }
    if (changed.size === 0) return found
    const kept = found.flatMap((row) => {
      const { id, eventId } = row.application
      if (!changed.has(eventId)) return row
      const now = fresh.get(id)
      fresh.delete(id)
      return now ?? []
    })
    found =
      fresh.size === 0
        ? kept
        : [...kept, ...fresh.values()].sort((one, other) => byNewest(one.application, other.application))
    return found
  }
}

interface WaitingAtEvent {
  readonly eventId: number
  readonly count: number
}

/**
 * Counts how many wait at each event, and leaves out events where no one does.
 * @param eventIds in the order wanted
 * @param kept stays without anybody: it is what is looked at
 */
export function countByEvent(
  rows: readonly ApplicationRow[],
  eventIds: readonly number[],
  kept: number | null,
): WaitingAtEvent[] {
  const counts = new Map<number, number>()
  for (const { application } of rows)
    if (application.status === 'pending') counts.set(application.eventId, (counts.get(application.eventId) ?? 0) + 1)
  return eventIds
    .map((eventId) => ({ eventId, count: counts.get(eventId) ?? 0 }))
    .filter(({ eventId, count }) => count > 0 || eventId === kept)
}

export function countRows(rows: readonly ApplicationRow[]): EventRow['counts'] {
  const counts = { pending: 0, approved: 0, rejected: 0 }
  for (const { application } of rows) counts[application.status] += 1
  return counts
}
