import { newestFirst, type ApplicationCounts, type ApplicationRow, type EventRow } from '../../sync/index.ts'

interface Applications {
  readonly events: readonly EventRow[]
  applicationsOf(eventId: number): readonly ApplicationRow[]
}

/**
 * All that is pending over all events, and what was decided since, which may be undone. Events whose applications did not
 * change since the call before are not read again.
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
    found = fresh.size === 0 ? kept : [...kept, ...fresh.values()].sort(newestFirst)
    return found
  }
}

export function countRows(rows: readonly ApplicationRow[]): ApplicationCounts {
  const counts = { pending: 0, approved: 0, rejected: 0 }
  for (const { application } of rows) counts[application.status] += 1
  return counts
}
