import { useCallback, useDeferredValue, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { EventDocument } from '#shared/sync/replication-calls.ts'
import type { Decision } from '#shared/applications/decide.ts'
import { todayIn } from '#shared/time/event-time.ts'
import type { ApplicationCounts, ApplicationRow } from '../../sync/index.ts'
import { paths } from '../../paths.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { NewItemsPill, SelectionBar } from '../../ui/floating-bars.tsx'
import { ShareRow } from '../share-row.tsx'
import { ApplicationDialog } from './application-dialog.tsx'
import { ApplicationsCards } from './applications-cards.tsx'
import { ApplicationsTable } from './applications-table.tsx'
import { ApplicationsToolbar, type ListView } from './applications-toolbar.tsx'
import { decisionSyncState, inOrder, isHere, isUndoable, possibleDecisions, search } from './shown-applicant.ts'
import { BulkResults, BulkSheet } from './bulk-decision.tsx'
import type { Batch } from './decision-buttons.tsx'
import { ShortcutSheet, useShortcuts } from './keyboard.tsx'
import type { ApplicantActions, ApplicantList } from './application-row.tsx'
import { useSteadyList, useSelection } from './list-state.ts'
import { useMedia } from '../../ui/use-media.ts'

/** By the venue's calendar; the evening before counts, for those who build up. */
function isEventDay({ startDate, endDate, timeZone }: EventDocument, now: Date): boolean {
  const tomorrow = todayIn(timeZone, new Date(now.getTime() + 86_400_000))
  return tomorrow >= startDate && todayIn(timeZone, now) <= endDate
}

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
  const [viewedId, setViewedId] = useState(openId)
  const [currentId, setCurrentId] = useState<number | null>(null)
  const [help, setHelp] = useState(false)
  const [asking, setAsking] = useState<Decision | null>(null)
  const [resulting, setResulting] = useState(false)
  const selection = useSelection()
  const listElement = useRef<HTMLDivElement>(null)
  const List = useMedia('(min-width: 40rem)') ? ApplicationsTable : ApplicationsCards

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
  const find = (id: number | null) => (id === null ? null : (byId.get(id) ?? null))
  const current = find(currentId)
  const viewed = find(viewedId)
  const chosen = useMemo(
    () => (selection.on ? rows.filter(({ application }) => selection.ids.has(application.id)) : []),
    [rows, selection.on, selection.ids],
  )

  const isMoving = useRef(false)
  function move(step: 1 | -1) {
    const index = currentId === null ? -1 : shown.indexOf(currentId)
    const next = shown.at(index === -1 ? (step === 1 ? 0 : -1) : index + step)
    if (next === undefined || (index === 0 && step === -1)) return
    isMoving.current = true
    setCurrentId(next)
  }
  useLayoutEffect(() => {
    if (!isMoving.current) return
    isMoving.current = false
    const element = listElement.current?.querySelector(`[data-row="${currentId}"]`)
    element?.scrollIntoView({ block: 'nearest' })
    // The focus follows, so that Enter opens the applicant and a screen reader says the name.
    element?.querySelector<HTMLElement>('[data-view]')?.focus({ preventScroll: true })
  }, [currentId])
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
      <NewItemsPill count={waiting} onShow={refresh} />
      <div ref={listElement} className="@container">
        {shown.length === 0 ? (
          <p className="rounded-box border border-dashed border-edge p-6 text-center text-muted">
            {text.trim() ? `Nobody here matches “${text.trim()}”.` : 'Nobody here.'}
          </p>
        ) : (
          <List ids={shown} byId={byId} list={list} currentId={currentId} chosen={selection.ids} />
        )}
      </div>
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
