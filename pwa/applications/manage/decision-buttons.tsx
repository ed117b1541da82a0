import { Check, Undo2, X } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { moveLabel, type Decision } from '#shared/applications/decide.ts'
import { paths } from '../../paths.ts'
import type { ApplicationRow } from '../../sync/index.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { UndoBar } from '../../ui/floating-bars.tsx'
import { StatusBadge, SyncLabel } from '../../ui/status-badge.tsx'
import {
  decisionEntry,
  decisionSyncState,
  decisionWord,
  fullName,
  isUndoable,
  people,
  possibleDecisions,
  shownStatus,
} from './shown-applicant.ts'

export interface DecisionActions {
  /** `tell` false: no mail about a pending applicant's rejection. */
  onDecide: (row: ApplicationRow, to: Decision, tell?: boolean) => void
  /** @returns the queued decisions' positions, once all are on this device */
  onDecideMany: (rows: readonly ApplicationRow[], to: Decision, tell: boolean) => Promise<readonly number[]>
  onUndo: (row: ApplicationRow) => void
  onUndoMany: (rows: readonly ApplicationRow[]) => void
}

interface ButtonProps {
  row: ApplicationRow
  actions: DecisionActions
  compact?: boolean | undefined
}

/** Undo appears where the finger was not: a double tap does not undo its decision. */
export function DecisionButtons({ row, actions, compact = false, tell = true }: ButtonProps & { tell?: boolean }) {
  const undoable = isUndoable(row)
  const needsAttention = decisionSyncState(row) === 'needs-attention'
  const decisions = needsAttention ? [] : possibleDecisions(row.application)
  const box = useFocusKept()
  const shared = { row, actions, compact }
  if (!undoable && decisions.length === 0 && !needsAttention) return null
  return (
    <div ref={box} className={compact ? 'flex gap-2' : 'grid auto-cols-fr grid-flow-col gap-3'}>
      {undoable ? (
        <UndoButton {...shared} />
      ) : needsAttention ? (
        <ButtonLink
          to={paths.sync}
          variant="danger-quiet"
          size={compact ? 'small' : 'normal'}
          className={compact ? oneLine : ''}
          aria-label={`See why: ${fullName(row.application)} needs attention`}
        >
          See why
        </ButtonLink>
      ) : (
        decisions.map((to) => <DecideButton key={to} to={to} tell={tell} {...shared} />)
      )}
    </div>
  )
}

/** The browser would drop the focus to the page when the row's buttons are exchanged. */
function useFocusKept() {
  const box = useRef<HTMLDivElement>(null)
  const isHere = useRef(false)
  useEffect(() => {
    const follow = ({ target }: Event) =>
      (isHere.current = target instanceof Node && (box.current?.contains(target) ?? false))
    document.addEventListener('focusin', follow)
    // A press on nothing takes the focus away without an event.
    document.addEventListener('pointerdown', follow)
    return () => {
      document.removeEventListener('focusin', follow)
      document.removeEventListener('pointerdown', follow)
    }
  }, [])
  useLayoutEffect(() => {
    if (!isHere.current || document.activeElement !== document.body) return
    const buttons = box.current?.querySelectorAll<HTMLElement>('button, a') ?? []
    buttons[buttons.length - 1]?.focus({ preventScroll: true })
  })
  return box
}

/** Lower than a finger wants, but answering to one as high as it wants. */
const oneLine = 'touch-target min-h-9 py-0'
const wordInOneLine = '@max-[60rem]:sr-only'

function UndoButton({ row, actions, compact }: ButtonProps) {
  const { status } = row.application
  const indent = compact ? 'ml-19 @max-[60rem]:ml-13' : 'col-start-2'
  return (
    <>
      <Button
        variant="secondary"
        size={compact ? 'small' : 'normal'}
        icon={<Undo2 className="size-4" />}
        className={`${compact ? oneLine : ''} ${status === 'rejected' ? indent : ''}`}
        aria-label={`Undo for ${fullName(row.application)}`}
        onClick={() => actions.onUndo(row)}
      >
        <span className={compact ? wordInOneLine : ''}>Undo</span>
      </Button>
      {!compact && status === 'approved' && <span />}
    </>
  )
}

function DecideButton({ row, actions, compact, to, tell }: ButtonProps & { to: Decision; tell: boolean }) {
  const { status } = row.application
  const label = moveLabel(status, to)
  const Icon = to === 'approved' ? Check : X
  return (
    <Button
      variant={to === 'approved' && status === 'pending' ? 'primary' : 'secondary'}
      size={compact ? 'small' : 'normal'}
      className={compact ? oneLine : ''}
      icon={<Icon className={`size-4 ${compact ? '@min-[60rem]:hidden' : ''}`} />}
      title={compact ? label : undefined}
      aria-label={`${label} ${fullName(row.application)}`}
      onClick={() => actions.onDecide(row, to, tell)}
    >
      <span className={compact ? wordInOneLine : ''}>{label}</span>
    </Button>
  )
}

/** Shows the queue's state until all is confirmed. `compact`: its word is a tooltip. */
export function ApplicationBadges({ row, compact = false }: { row: ApplicationRow; compact?: boolean }) {
  const { application, syncState } = row
  return (
    <span className={`inline-flex items-center gap-y-1 ${compact ? 'gap-x-2' : 'flex-wrap gap-x-3'}`}>
      <StatusBadge status={shownStatus(application)} unconfirmed={decisionSyncState(row) !== 'confirmed'} />
      {syncState === 'needs-attention' && (
        <Link to={paths.sync} className="touch-target inline-flex items-center hover:underline">
          <SyncLabel state={syncState} compact={compact} />
        </Link>
      )}
      {(syncState === 'saving' || syncState === 'on-this-phone' || syncState === 'sent') && (
        <SyncLabel state={syncState} compact={compact} />
      )}
    </span>
  )
}

const holdMs = 8000

/** One decision about many: its queue entries, which one Undo takes back. */
export interface Batch {
  readonly to: Decision
  readonly seqs: readonly number[]
  readonly ids: readonly number[]
}

const seqOf = (row: ApplicationRow) => decisionEntry(row)?.seq ?? 0

/** This device's decisions in their undo time, newest first. */
export function heldDecisions(rows: readonly ApplicationRow[]): ApplicationRow[] {
  return rows
    .filter(
      (row) => decisionSyncState(row) === 'on-this-phone' && decisionEntry(row)?.state === 'held' && isUndoable(row),
    )
    .sort((one, other) => seqOf(other) - seqOf(one))
}

/**
 * One Undo takes back a whole batch, further presses go step by step. Later each decision keeps an Undo in its row
 * until it is sent.
 */
export function DecisionUndo(props: {
  held: readonly ApplicationRow[]
  batch: Batch | null
  actions: Pick<DecisionActions, 'onUndo' | 'onUndoMany'>
}) {
  const { held, batch, actions } = props
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
      {decisionWord(row.application.status)} {together.length > 1 ? people(together.length) : fullName(row.application)}
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
  // The live region has said it already.
  const text = <span aria-hidden="true">{children}</span>
  return <UndoBar text={text} onUndo={onUndo} durationMs={holdMs} elapsedMs={holdMs - leftMs} />
}
