import type { ApplicationStatus } from '#shared/applications/decide.ts'
import type { ApplicationDocument, EventDocument } from '#shared/sync/replication-calls.ts'
import type { Entry, Mark } from '../../outbox/entry.ts'

/** Applications by status, with what is still on this phone counted in. A withdrawn one counts as rejected. */
export type ApplicationCounts = Readonly<Record<ApplicationStatus, number>>

/** An event as the screen shows it: the replica's document with the queued changes folded in. */
export interface EventRow {
  readonly event: EventDocument
  readonly mark: Mark
  /** Of the changes that are not settled the refused one, else the newest; null with mark `confirmed`. */
  readonly entry: Entry | null
  /** All changes that are not settled, oldest first. */
  readonly entries: readonly Entry[]
  readonly counts: ApplicationCounts
}

/** An application as the screen shows it. */
export interface ApplicationRow {
  readonly application: ApplicationDocument
  readonly mark: Mark
  /** Of the changes that are not settled the refused one, else the newest: held and undoable, on its way, or sent. */
  readonly entry: Entry | null
  /** All changes that are not settled, oldest first. */
  readonly entries: readonly Entry[]
}
