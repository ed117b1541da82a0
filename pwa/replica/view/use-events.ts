import { useObservable } from '../../api/observable.ts'
import { foldedView } from './folded-view.ts'
import type { ApplicationRow, EventRow } from './rows.ts'

/** `loading` until the replica was read or pulled for the first time. `asOf` is an ISO instant. */
export type OrganizerEvents = {
  readonly status: 'loading' | 'ready'
  /** By start date, then name. */
  readonly events: readonly EventRow[]
  readonly asOf: string | null
}

/** The signed-in organizer's events with what is queued on this phone folded in. */
export function useOrganizerEvents(): OrganizerEvents {
  const view = useObservable(foldedView)
  return { status: view.status, events: view.events, asOf: view.asOf }
}

/** One of the organizer's events. `missing` only when the replica is complete and does not have it. */
export function useOrganizerEvent(
  id: number,
):
  | { readonly status: 'loading' | 'missing'; readonly row: null; readonly asOf: string | null }
  | { readonly status: 'ready'; readonly row: EventRow; readonly asOf: string | null } {
  const view = useObservable(foldedView)
  const row = view.eventById.get(id)
  if (row) return { status: 'ready', row, asOf: view.asOf }
  return { status: view.status === 'loading' ? 'loading' : 'missing', row: null, asOf: view.asOf }
}

/** An event's applications, newest first, with the decisions on this phone folded in. */
export function useApplications(eventId: number): {
  readonly status: 'loading' | 'ready'
  readonly applications: readonly ApplicationRow[]
  readonly asOf: string | null
} {
  const view = useObservable(foldedView)
  return { status: view.status, applications: view.applicationsOf(eventId), asOf: view.asOf }
}
