import type { ApplicationDocument } from '#shared/sync/replication-calls.ts'
import type { ApplicationRow } from '../../replica/view/rows.ts'
import type { DecisionActions } from './decision-buttons.tsx'
import type { MarkActions } from './use-marks.ts'

/** Everything that can be done with one applicant. */
export type ApplicantActions = DecisionActions & MarkActions

/** Who is here today. */
export interface HereToday {
  /** It is a day of the event, so that the list offers it; the View dialog always does. */
  readonly offered: boolean
  readonly of: (application: ApplicationDocument) => boolean
}

/** What cards and table of applicants both need. All of it stays the same from tap to tap: only changed rows are painted. */
export interface ListProps {
  readonly now: Date
  readonly actions: ApplicantActions
  /** People are being chosen for one decision about many. */
  readonly selecting: boolean
  readonly onToggle: (id: number) => void
  readonly here: HereToday
  readonly onView: (row: ApplicationRow) => void
}
