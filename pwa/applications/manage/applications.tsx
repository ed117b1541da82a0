import { useCallback, useDeferredValue, useMemo, useRef, useState } from 'react'
import type { EventDocument } from '#shared/sync/replication-calls.ts'
import type { Decision } from '#shared/applications/decide.ts'
import { todayIn } from '#shared/time/event-time.ts'
import type { ApplicationCounts, ApplicationRow } from '../../sync/index.ts'
import { paths } from '../../paths.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { GuardedRow } from '../../ui/failure-boundary.tsx'
import { NewItemsPill, SelectionBar } from '../../ui/floating-bars.tsx'
import { ShareRow } from '../share-row.tsx'
import { ApplicationCard } from './application-card.tsx'
import { ApplicationDialog } from './application-dialog.tsx'
import { ApplicationsTable } from './applications-table.tsx'
import { ApplicationsToolbar, type ListView } from './applications-toolbar.tsx'
import {
  comingLine,
  decisionSyncState,
  inOrder,
  isHere,
  isUndoable,
  possibleDecisions,
  search,
} from './shown-applicant.ts'
import { BulkResults, BulkSheet } from './bulk-decision.tsx'
import type { Batch } from './decision-buttons.tsx'
import { ShortcutSheet, useShortcuts } from './keyboard.tsx'
import type { ApplicantActions, ApplicantList } from './application-row.tsx'
import { useSteadyList, useSelection } from './list-state.ts'
import { useMedia } from '../../ui/use-media.ts'

const chunk = 100

/** By the venue's calendar; the evening before counts, for those who build up. */
function isEventDay({ startDate, endDate, timeZone }: EventDocument, now: Date): boolean {
  const tomorrow = todayIn(timeZone, new Date(now.getTime() + 86_400_000))
  return tomorrow >= startDate && todayIn(timeZone, now) <= endDate
}

/** Long lists are painted a hundred at a time. */
export function Applications(props: {
  event: EventDocument
  rows: readonly ApplicationRow[]
  counts: ApplicationCounts
  actions: ApplicantActions
  /** The newest decision that can be undone, for the keyboard. */
  lastHeld: ApplicationRow | null
  batch: Batch | null
  onBatch: (batch: Batch) => void
  asOf: string | null
  now: Date
  /** The application whose details are open at first: an alert leads there. */
  openId: number | null
}) {
  const { event, rows, counts, actions, lastHeld, batch, onBatch, asOf, now, openId } = props
  const [view, setView] = useState<ListView>({ filter: 'all', order: 'waiting', typed: '' })
  const { filter, order } = view
  const text = useDeferredValue(view.typed)
  const viewKey = `${filter} ${order} ${text}`
  const [limit, setLimit] = useState({ viewKey, count: chunk })
  const [viewedId, setViewedId] = useState(openId)
  const [currentId, setCurrentId] = useState<number | null>(null)
  const [help, setHelp] = useState(false)
  const [asking, setAsking] = useState<Decision | null>(null)
  const [resulting, setResulting] = useState(false)
  const selection = useSelection()
  const listElement = useRef<HTMLDivElement>(null)
  const isTable = useMedia('(min-width: 40rem)')
  const isRoomy = useMedia('(min-width: 72rem)')

  const list = useMemo<ApplicantList>(
    () => ({
      now,
      actions,
      selecting: selection.on,
      onToggle: selection.toggle,
      onView: ({ application }) => setViewedId(application.id),
      here: {
        offered: isEventDay(event, now),
        of: (application) => isHere(application, event.timeZone, now),
      },
    }),
    [event, now, actions, selection.on, selection.toggle],
  )
  const { here } = list
  const hereCount = useMemo(() => rows.filter(({ application }) => here.of(application)).length, [rows, here])
  const coming = useMemo(() => comingLine(rows), [rows])
  const byId = useMemo(() => new Map(rows.map((row) => [row.application.id, row])), [rows])
  const exists = useCallback((id: number) => byId.has(id), [byId])
  const ids = useMemo(() => {
    const isFound = search(text)
    const belongs = ({ application }: ApplicationRow) =>
      (filter === 'all' || (filter === 'here' ? here.of(application) : application.status === filter)) &&
      isFound(application)
    return inOrder(rows.filter(belongs), order).map(({ application }) => application.id)
  }, [rows, filter, text, order, here])
  const { shown, waiting, refresh } = useSteadyList(viewKey, ids, exists)
  const most = limit.viewKey === viewKey ? limit.count : chunk
  const painted = shown.slice(0, most).flatMap((id) => byId.get(id) ?? [])
  const find = (id: number | null) => (id === null ? null : (byId.get(id) ?? null))
  const current = find(currentId)
  const viewed = find(viewedId)
  const chosen = useMemo(
    () => (selection.on ? rows.filter(({ application }) => selection.ids.has(application.id)) : []),
    [rows, selection.on, selection.ids],
  )

  function move(step: 1 | -1) {
    const index = painted.findIndex(({ application }) => application.id === currentId)
    const next = painted[index === -1 ? (step === 1 ? 0 : painted.length - 1) : index + step]
    if (!next) return
    setCurrentId(next.application.id)
    const element = listElement.current?.querySelector(`[data-row="${next.application.id}"]`)
    element?.scrollIntoView({ block: 'nearest' })
    // The focus follows, so that Enter opens the applicant and a screen reader says the name.
    element?.querySelector<HTMLElement>('[data-view]')?.focus({ preventScroll: true })
  }
  function decide(to: 'approved' | 'rejected') {
    if (!current || isUndoable(current) || decisionSyncState(current) === 'needs-attention') return
    if (possibleDecisions(current.application).includes(to)) actions.onDecide(current, to)
  }
  const shortcuts = useShortcuts({
    next: () => move(1),
    previous: () => move(-1),
    approve: () => decide('approved'),
    reject: () => decide('rejected'),
    star: () => current && actions.onStar(current, !current.application.starred),
    view: () => setViewedId(currentId),
    undo: () => lastHeld && actions.onUndo(lastHeld),
    search: () => listElement.current?.parentElement?.querySelector<HTMLElement>('input[type="search"]')?.focus(),
    help: () => setHelp(true),
  })

  if (rows.length === 0) {
    return (
      <EmptyState
        illustration="beacons"
        title="No Beacon Applications"
        level={3}
        action={
          <>
            <ButtonLink to={paths.event(event.id)} variant="secondary">
              Open the event page
            </ButtonLink>
            <ButtonLink to={paths.poster(event.id)} variant="secondary">
              Print a Poster
            </ButtonLink>
            <ShareRow shared={{ title: event.name, path: paths.event(event.id) }} />
          </>
        }
      >
        Share your event’s page; applications appear here at once.
      </EmptyState>
    )
  }
  async function decideMany(to: Decision, about: readonly ApplicationRow[], tell: boolean) {
    const seqs = await actions.onDecideMany(about, to, tell)
    setAsking(null)
    // Nothing could be saved, which a toast has said: the selection stays.
    if (seqs.length === 0) return
    onBatch({ to, seqs, ids: about.map(({ application }) => application.id) })
    selection.stop()
    setResulting(true)
  }

  return (
    <>
      <ApplicationsToolbar
        counts={counts}
        hereCount={here.offered || hereCount > 0 ? hereCount : null}
        view={view}
        onView={(change) => setView({ ...view, ...change })}
        selecting={selection.on}
        onSelect={() => (selection.on ? selection.stop() : selection.start())}
        asOf={asOf}
        onHelp={() => setHelp(true)}
      />
      {coming && <p className="mb-3 text-sm text-muted">Approved Beacons: {coming}</p>}
      <NewItemsPill count={waiting} onShow={refresh} />
      <div ref={listElement}>
        {painted.length === 0 ? (
          <p className="rounded-box border border-dashed border-edge p-6 text-center text-muted">
            {text.trim() ? `Nobody here matches “${text.trim()}”.` : 'Nobody here.'}
          </p>
        ) : isTable ? (
          <ApplicationsTable rows={painted} currentId={currentId} roomy={isRoomy} chosen={selection.ids} list={list} />
        ) : (
          <ul aria-label="Applicants" className="flex flex-col gap-3">
            {painted.map((row) => (
              <GuardedRow key={row.application.id} of={row}>
                <ApplicationCard
                  row={row}
                  current={row.application.id === currentId}
                  chosen={selection.ids.has(row.application.id)}
                  list={list}
                />
              </GuardedRow>
            ))}
          </ul>
        )}
      </div>
      {shown.length > most && (
        <div className="mt-4 flex flex-col items-center gap-1">
          <p className="text-sm text-muted tabular-nums">
            {most} of {shown.length} shown
          </p>
          <Button variant="secondary" onClick={() => setLimit({ viewKey, count: most + chunk })}>
            Show more
          </Button>
        </div>
      )}
      {selection.on && (
        <SelectionBar
          label={`${chosen.length} selected`}
          raised={lastHeld !== null}
          onClose={selection.stop}
          action={
            <Button
              variant="ghost"
              size="small"
              onClick={() => selection.choose(chosen.length === shown.length ? [] : shown)}
            >
              {chosen.length === shown.length && shown.length > 0 ? 'Select none' : `Select all ${shown.length}`}
            </Button>
          }
        >
          <Button
            variant="secondary"
            aria-disabled={chosen.length === 0}
            onClick={() => chosen.length > 0 && setAsking('rejected')}
          >
            Reject
          </Button>
          <Button aria-disabled={chosen.length === 0} onClick={() => chosen.length > 0 && setAsking('approved')}>
            Approve
          </Button>
        </SelectionBar>
      )}
      {asking && (
        <BulkSheet
          chosen={chosen}
          to={asking}
          onClose={() => setAsking(null)}
          onConfirm={(about, tell) => void decideMany(asking, about, tell)}
        />
      )}
      {resulting && batch && (
        <BulkResults batch={batch} byId={byId} onUndo={actions.onUndoMany} onClose={() => setResulting(false)} />
      )}
      {viewed && (
        <ApplicationDialog key={viewed.application.id} row={viewed} list={list} onClose={() => setViewedId(null)} />
      )}
      {help && <ShortcutSheet {...shortcuts} onClose={() => setHelp(false)} />}
    </>
  )
}
