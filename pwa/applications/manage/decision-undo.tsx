import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import type { Decision } from '#shared/applications/application-status.ts'
import type { ApplicationRow } from '../../replica/view/rows.ts'
import { UndoBar } from '../../ui/undo-bar.tsx'
import { decisionEntry, decisionMark, fullName, isUndoable } from './applicant.ts'
import type { DecisionActions } from './decision-buttons.tsx'

const holdMs = 8000

/** One decision about many people: its entries in the queue, which one Undo takes back. */
export interface Batch {
  readonly to: Decision
  readonly seqs: readonly number[]
  /** Whom it was about, in the order shown. */
  readonly ids: readonly number[]
}

const seqOf = (row: ApplicationRow) => decisionEntry(row)?.seq ?? 0

/** The decisions on this phone that are still in their undo time, the newest first. */
export function heldDecisions(rows: readonly ApplicationRow[]): ApplicationRow[] {
  return rows
    .filter((row) => decisionMark(row) === 'on-this-phone' && decisionEntry(row)?.state === 'held' && isUndoable(row))
    .sort((one, other) => seqOf(other) - seqOf(one))
}

const wordOf = (status: string) => (status === 'approved' ? 'Approved' : 'Rejected')

/**
 * The bar above the phone's lower edge: what was decided last, and how many more can be taken back. One Undo takes back a
 * whole batch; pressing it several times goes back step by step. Decisions whose time is over keep their Undo in their row
 * until they leave.
 */
export function DecisionUndo({
  held,
  batch,
  actions,
}: {
  held: readonly ApplicationRow[]
  batch: Batch | null
  actions: Pick<DecisionActions, 'onUndo' | 'onUndoMany'>
}) {
  const [row] = held
  const entry = row && decisionEntry(row)
  if (!row || !entry) return null
  const together = batch?.seqs.includes(entry.seq) ? held.filter((one) => batch.seqs.includes(seqOf(one))) : [row]
  const more = held.length - together.length
  return (
    <TimedBar
      key={entry.seq}
      until={entry.nextAt}
      onUndo={() => (together.length > 1 ? actions.onUndoMany(together) : actions.onUndo(row))}
    >
      {wordOf(row.application.status)} {together.length > 1 ? `${together.length} people` : fullName(row.application)}
      {more > 0 && <span className="block text-sm text-hall-muted">{more} more can be undone</span>}
    </TimedBar>
  )
}

function TimedBar({ until, onUndo, children }: { until: number; onUndo: () => void; children: ReactNode }) {
  const [leftMs] = useState(() => Math.min(holdMs, until - Date.now()))
  const [over, setOver] = useState(leftMs <= 0)
  useEffect(() => {
    if (leftMs <= 0) return
    const timer = setTimeout(() => setOver(true), leftMs)
    return () => clearTimeout(timer)
  }, [leftMs])
  if (over) return null
  // The live region has said it already; the bar would say it twice.
  const text = <span aria-hidden="true">{children}</span>
  return <UndoBar text={text} onUndo={onUndo} durationMs={holdMs} elapsedMs={holdMs - leftMs} undoLabel="Undo" />
}
