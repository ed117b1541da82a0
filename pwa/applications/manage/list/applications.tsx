import { useMemo, useRef, useState, type CSSProperties } from 'react'
import type { Decision } from '#shared/applications/decide.ts'
import { hasEnded } from '#shared/time/event-time.ts'
import { useSession } from '../../../device/session/session.ts'
import type { ApplicationRow, EventRow } from '../../../sync/index.ts'
import { Button } from '../../../ui/button.tsx'
import type { FilterChip } from '../../../ui/choice-fields.tsx'
import { NewItemsPill } from '../../../ui/floating-bars.tsx'
import { useMedia } from '../../../ui/use-media.ts'
import { ApplicationDialog } from '../application-details.tsx'
import { ApplicationPanel } from '../application-panel.tsx'
import type { ApplicantActions } from '../application-row.tsx'
import { arrivalWords } from '../arrivals.ts'
import { DecisionUndo } from '../decision-buttons.tsx'
import { useMarks } from '../marks.tsx'
import { SelectionActions } from '../selection-actions.tsx'
import {
  decisionSyncState,
  eventFilter,
  isUndoable,
  nextToReview,
  possibleDecisions,
  type ListFilter,
} from '../shown-applicant.ts'
import { useDecisions } from '../use-decisions.ts'
import { ApplicationsCards } from './applications-cards.tsx'
import { ApplicationsTable } from './applications-table.tsx'
import { ApplicationsToolbar, statusChips } from './applications-toolbar.tsx'
import { ShortcutSheet, useShortcuts } from './keyboard.tsx'
import { useSelection } from './list-state.ts'
import { NoApplications } from './no-applications.tsx'
import {
  useApplicantList,
  useListView,
  useShownApplicants,
  type Listed,
  type SeveralEvents,
} from './use-applicant-list.ts'
import { useBulkDecision } from './use-bulk-decision.tsx'
import { useReview, useViewing, useWalk } from './use-viewed-applicant.ts'
import { countByEvent } from './waiting-rows.ts'

/** Fixed bars stay above the list alone. */
const panelWidth = { '--panel-width': 'clamp(22rem, 34vw, 32rem)' } as CSSProperties

/** A list of one event has no chips. */
export function eventChips(
  { nameOf, ids }: SeveralEvents,
  rows: readonly ApplicationRow[],
  filter: ListFilter,
): FilterChip<ListFilter>[] {
  const kept = ids.find((id) => eventFilter(id) === filter) ?? null
  const waiting = countByEvent(rows, ids, kept)
  if (waiting.length < 2 && kept === null) return []
  return [
    { value: 'all', label: 'All', count: waiting.reduce((sum, { count }) => sum + count, 0) },
    ...waiting.map(({ eventId, count }) => ({ value: eventFilter(eventId), label: nameOf(eventId), count })),
  ]
}

interface ApplicationsProps extends Listed {
  readonly counts: EventRow['counts'] | null
  /** These can be undone, and the newest comes first. */
  readonly held: readonly ApplicationRow[]
  readonly asOf: string | null
}

export function Applications(props: ApplicationsProps) {
  const { event, several, rows, counts, held, asOf, onMessage, onPlace } = props
  const userId = useSession().user?.id ?? null
  const decisions = useDecisions(userId)
  const marks = useMarks(userId)
  const actions = useMemo<ApplicantActions>(() => ({ ...decisions, ...marks }), [decisions, marks])
  const [view, setView] = useListView()
  const viewing = useViewing()
  const { currentId, review } = viewing
  /** A rejection is not mailed to this person. */
  const [quietId, setQuietId] = useState<number | null>(null)
  const [help, setHelp] = useState(false)
  const selection = useSelection()
  const root = useRef<HTMLDivElement>(null)
  const isWide = useMedia('(min-width: 64rem)')
  const isPhone = !useMedia('(min-width: 40rem)')
  const List = isPhone ? ApplicationsCards : ApplicationsTable
  const list = useApplicantList(props, { actions, selection, filter: view.filter, review })
  const { arrivals, isOver } = list
  const { shown, waiting, refresh, byId, text } = useShownApplicants(props, view, arrivals)
  const walk = useWalk(viewing, { root, shown, byId, isWide })
  const { place, current, viewed, show, move, close } = walk
  const { decide, undo, viewActions } = useReview({ actions, walk, shown, byId, isWide })
  const hereCount = useMemo(
    () => (event ? rows.filter(({ application }) => arrivals.of(application)).length : 0),
    [event, rows, arrivals],
  )
  const chosen = useMemo(
    () => (selection.on ? rows.filter(({ application }) => selection.ids.has(application.id)) : []),
    [rows, selection.on, selection.ids],
  )
  const bulk = useBulkDecision({ actions, byId, chosen, isOver, onDone: selection.stop })

  function press(to: Decision) {
    if (!current || isUndoable(current) || decisionSyncState(current) === 'needs-attention') return
    if (possibleDecisions(current.application, isOver(current.application)).includes(to))
      decide(current, to, quietId !== currentId)
  }
  const shortcuts = useShortcuts({
    next: () => move(1),
    previous: () => move(-1),
    approve: () => press('approved'),
    reject: () => press('rejected'),
    star: () => current && actions.onStar(current, !current.application.starred),
    view: () => viewing.setViewing(true),
    undo: () => {
      const unwritten = rows.find((row) => ['saving', 'not-saved'].includes(decisionSyncState(row)) && isUndoable(row))
      const newest = unwritten ?? held[0]
      if (newest) undo(newest)
    },
    search: () => root.current?.querySelector<HTMLElement>('input[type="search"]')?.focus(),
    help: () => setHelp(true),
  })
  if (rows.length === 0 && event) return <NoApplications event={event} isOver={hasEnded(event, list.now)} />

  const isBeside = isWide && viewed !== undefined
  const details = {
    list,
    actions: viewActions,
    tell: quietId !== currentId,
    onTell: (tell: boolean) => setQuietId(tell ? null : currentId),
    onClose: close,
  }
  const first = isPhone ? nextToReview(shown, byId, -1) : undefined
  const following = viewed ? nextToReview(shown, byId, place) : undefined
  return (
    <div ref={root} style={isBeside ? panelWidth : undefined}>
      <ApplicationsToolbar
        chips={
          several
            ? eventChips(several, rows, view.filter)
            : statusChips(
                counts,
                arrivals.offered || hereCount > 0 ? { label: arrivalWords(arrivals).long, count: hereCount } : null,
              )
        }
        severalEvents={event === null}
        view={view}
        onView={(change) => setView({ ...view, ...change })}
        selecting={selection.on}
        onSelect={() => (selection.on ? selection.stop() : selection.start())}
        asOf={asOf}
        onHelp={() => setHelp(true)}
      />
      {first !== undefined && !selection.on && (
        <Button wide variant="chosen" className="no-print mb-3" onClick={() => review(first)}>
          Review one by one
        </Button>
      )}
      <NewItemsPill count={waiting} onShow={refresh} />
      <div className={isBeside ? 'grid grid-cols-[minmax(0,1fr)_var(--panel-width)] items-start gap-4' : ''}>
        <div className="@container">
          {shown.length === 0 ? (
            <p className="rounded-box border border-dashed border-edge p-6 text-center text-muted">
              {text.trim() ? `No applicant here matches “${text.trim()}”.` : 'No applicants here.'}
            </p>
          ) : (
            <List ids={shown} byId={byId} list={list} currentId={currentId} chosen={selection.ids} />
          )}
        </div>
        {isBeside && (
          <ApplicationPanel
            row={viewed}
            {...details}
            place={place === -1 ? '' : `${place + 1} of ${shown.length}`}
            onMove={move}
          />
        )}
      </div>
      {selection.on && (
        <SelectionActions
          selection={selection}
          chosen={chosen}
          shown={shown}
          raised={held.length > 0}
          onAsk={bulk.ask}
          onMessage={onMessage}
          onPlace={onPlace}
        />
      )}
      {bulk.dialogs}
      {viewed && !isWide && (
        <ApplicationDialog
          row={viewed}
          {...details}
          held={held}
          batch={bulk.batch}
          onSkip={following === undefined ? undefined : () => show(following)}
        />
      )}
      <DecisionUndo held={held} batch={bulk.batch} actions={viewActions} />
      {help && <ShortcutSheet {...shortcuts} onClose={() => setHelp(false)} />}
    </div>
  )
}
