import { useEffect, useState } from 'react'
import type { ApplicationRow } from '../../replica/rows.ts'
import { UndoBar } from '../../ui/undo-bar.tsx'
import { fullName, isUndoable } from './applicant.ts'

const holdMs = 8000

/** The decisions that are still in their undo time, the newest first. */
export function heldDecisions(rows: readonly ApplicationRow[]): ApplicationRow[] {
  return rows
    .filter((row) => row.entry?.state === 'held' && isUndoable(row))
    .sort((one, other) => (other.entry?.seq ?? 0) - (one.entry?.seq ?? 0))
}

/**
 * The bar above the phone's lower edge: what was decided last, and how many more can be taken back. Pressing Undo several
 * times goes back one by one. Decisions whose time is over keep their Undo in their row until they leave.
 */
export function DecisionUndo({
  held,
  onUndo,
}: {
  held: readonly ApplicationRow[]
  onUndo: (row: ApplicationRow) => void
}) {
  const [row] = held
  const entry = row?.entry
  if (!row || !entry) return null
  return <TimedBar key={entry.seq} row={row} until={entry.nextAt} more={held.length - 1} onUndo={() => onUndo(row)} />
}

function TimedBar({
  row,
  until,
  more,
  onUndo,
}: {
  row: ApplicationRow
  until: number
  more: number
  onUndo: () => void
}) {
  const [leftMs] = useState(() => Math.min(holdMs, until - Date.now()))
  const [over, setOver] = useState(leftMs <= 0)
  useEffect(() => {
    if (leftMs <= 0) return
    const timer = setTimeout(() => setOver(true), leftMs)
    return () => clearTimeout(timer)
  }, [leftMs])
  if (over) return null
  const word = row.application.status === 'approved' ? 'Approved' : 'Rejected'
  // The live region has said it already; the bar would say it twice.
  const text = (
    <span aria-hidden="true">
      {word} {fullName(row.application)}
      {more > 0 && <span className="block text-sm text-hall-muted">{more} more can be undone</span>}
    </span>
  )
  return <UndoBar text={text} onUndo={onUndo} durationMs={holdMs} elapsedMs={holdMs - leftMs} undoLabel="Undo" />
}
