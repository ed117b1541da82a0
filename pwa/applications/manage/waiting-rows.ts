import { newestFirst, type ApplicationCounts, type ApplicationRow, type EventRow } from '../../sync/index.ts'

interface Applications {
  readonly events: readonly EventRow[]
  applicationsOf(eventId: number): readonly ApplicationRow[]
}

/**
 * All that is pending over all events, and what was decided since, which may be undone.
 * @returns rows newest first; deleted ones go
 */
export function collectWaiting(): (view: Applications) => ApplicationRow[] {
  const waited = new Map<number, Set<number>>()
  return ({ events, applicationsOf }) => {
    const found = events.flatMap(({ event: { id }, counts }) => {
      const before = waited.get(id) ?? new Set<number>()
      if (counts.pending === 0 && before.size === 0) return []
      waited.set(id, before)
      return applicationsOf(id).filter(({ application }) => {
        if (application.status === 'pending') before.add(application.id)
        return before.has(application.id)
      })
    })
    return found.sort(newestFirst)
  }
}

export function countRows(rows: readonly ApplicationRow[]): ApplicationCounts {
  const counts = { pending: 0, approved: 0, rejected: 0 }
  for (const { application } of rows) counts[application.status] += 1
  return counts
}
