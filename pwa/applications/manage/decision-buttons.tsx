import { Check, Undo2, X } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { moveLabel, type Decision } from '#shared/applications/decide.ts'
import { timings } from '../../browser/timings.ts'
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
  /** `tell` false sends no mail about a pending applicant's rejection. */
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

interface DecisionButtonsProps extends ButtonProps {
  /** The event has ended. */
  isOver: boolean
  tell?: boolean
  /** Approve has the colour of a page's main action. */
  lit?: boolean
}

/** Undo appears where the finger was not: a double tap does not undo its decision. */
export function DecisionButtons(props: DecisionButtonsProps) {
  const { row, actions, compact = false, isOver, tell = true, lit = true } = props
  const undoable = isUndoable(row)
  const needsAttention = decisionSyncState(row) === 'needs-attention'
  const decisions = needsAttention ? [] : possibleDecisions(row.application, isOver)
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
        decisions.map((to) => <DecideButton key={to} to={to} tell={tell} lit={lit} {...shared} />)
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

function DecideButton(props: ButtonProps & { to: Decision; tell: boolean; lit: boolean }) {
  const { row, actions, compact, to, tell, lit } = props
  const { status } = row.application
  const label = moveLabel(status, to)
  const Icon = to === 'approved' ? Check : X
  return (
    <Button
      variant={lit && to === 'approved' && status === 'pending' ? 'primary' : 'secondary'}
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
export function ApplicationBadges(props: { row: ApplicationRow; compact?: boolean; withoutStatus?: boolean }) {
  const { row, compact = false, withoutStatus = false } = props
  const { application, syncState } = row
  if (withoutStatus && syncState === 'confirmed') return null
  return (
    <span className={`inline-flex items-center gap-y-1 ${compact ? 'gap-x-2' : 'flex-wrap gap-x-3'}`}>
      {!withoutStatus && (
        <StatusBadge status={shownStatus(application)} unconfirmed={decisionSyncState(row) !== 'confirmed'} />
      )}
      {syncState === 'needs-attention' && (
        <Link to={paths.sync} className="touch-target inline-flex items-center hover:underline">
          <SyncLabel state={syncState} compact={compact} />
        </Link>
      )}
      {syncState !== 'confirmed' && syncState !== 'needs-attention' && (
        <SyncLabel state={syncState} compact={compact} />
      )}
    </span>
  )
}

/** Holds one decision about many: its queue entries, which one Undo takes back. */
export interface Batch {
  readonly to: Decision
  readonly seqs: readonly number[]
  readonly ids: readonly number[]
}

const seqOf = (row: ApplicationRow) => decisionEntry(row)?.seq ?? 0

/** Lists this device's decisions in their undo time, newest first. */
export function heldDecisions(rows: readonly ApplicationRow[]): ApplicationRow[] {
  return rows
    .filter(
      (row) => decisionSyncState(row) === 'on-this-phone' && decisionEntry(row)?.state === 'held' && isUndoable(row),
    )
    .sort((one, other) => seqOf(other) - seqOf(one))
}

interface UndoOffer {
  readonly rows: readonly [ApplicationRow, ...ApplicationRow[]]
  /** Names the person, or says how many there are. */
  readonly whom: string
}

/**
 * Offers one Undo at a time: of the newest decision, or of all that were decided with it.
 * @param held undoable ones, newest first
 * @param shown whose decision has an Undo of its own in the same place
 */
export function undoOffer(
  held: readonly ApplicationRow[],
  batch: Pick<Batch, 'seqs'> | null,
  shown?: ApplicationRow,
): UndoOffer | null {
  const [newest] = held
  if (!newest || (shown && isUndoable(shown))) return null
  const seqs = batch?.seqs.includes(seqOf(newest)) ? batch.seqs : []
  const rows = [newest, ...held.slice(1).filter((row) => seqs.includes(seqOf(row)))] as const
  return { rows, whom: rows.length > 1 ? people(rows.length) : fullName(newest.application) }
}

const takeBack = ({ rows }: UndoOffer, actions: Pick<DecisionActions, 'onUndo' | 'onUndoMany'>) =>
  rows.length > 1 ? actions.onUndoMany(rows) : actions.onUndo(rows[0])

interface UndoProps {
  held: readonly ApplicationRow[]
  batch: Batch | null
  actions: Pick<DecisionActions, 'onUndo' | 'onUndoMany'>
}

/** Shows the undo where a dialog hides the bar. */
export function UndoLine({ held, batch, shown, actions }: UndoProps & { shown: ApplicationRow }) {
  const offer = undoOffer(held, batch, shown)
  if (!offer) return null
  return (
    <p className="mb-2 flex items-center justify-between gap-3 text-sm text-muted">
      {decisionWord(offer.rows[0].application.status)} {offer.whom}
      <Button
        variant="ghost"
        size="small"
        flush="end"
        aria-label={`Undo for ${offer.whom}`}
        onClick={() => takeBack(offer, actions)}
      >
        Undo
      </Button>
    </p>
  )
}

/** Further presses go step by step. Later each decision keeps an Undo in its row until it is sent. */
export function DecisionUndo({ held, batch, actions }: UndoProps) {
  const offer = undoOffer(held, batch)
  const entry = offer && decisionEntry(offer.rows[0])
  if (!offer || !entry) return null
  const more = held.length - offer.rows.length
  return (
    <TimedBar key={entry.seq} until={entry.nextAt} onUndo={() => takeBack(offer, actions)}>
      {decisionWord(offer.rows[0].application.status)} {offer.whom}
      {more > 0 && <span className="block text-sm text-hall-muted">{more} more can be undone</span>}
    </TimedBar>
  )
}

function TimedBar({ until, onUndo, children }: { until: number; onUndo: () => void; children: ReactNode }) {
  const [leftMs] = useState(() => Math.min(timings.undoMs, until - Date.now()))
  const [over, setOver] = useState(leftMs <= 0)
  useEffect(() => {
    if (leftMs <= 0) return
    const timer = setTimeout(() => setOver(true), leftMs)
    return () => clearTimeout(timer)
  }, [leftMs])
  if (over) return null
  // The live region has said it already.
  const text = <span aria-hidden="true">{children}</span>
  return <UndoBar text={text} onUndo={onUndo} durationMs={timings.undoMs} elapsedMs={timings.undoMs - leftMs} />
}
