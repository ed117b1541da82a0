import { useObservable } from '../../api/observable.ts'
import { foldedView } from './folded-view.ts'
import type { ApplicationRow } from './rows.ts'

/** An event's applications, newest first, with the decisions on this phone folded in. */
export function useApplications(eventId: number): {
  readonly status: 'loading' | 'ready'
  readonly applications: readonly ApplicationRow[]
  readonly asOf: string | null
} {
  const view = useObservable(foldedView)
  return { status: view.status, applications: view.applicationsOf(eventId), asOf: view.asOf }
}
