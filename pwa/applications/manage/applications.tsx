import { useCallback, useDeferredValue, useLayoutEffect, useMemo, useRef, useState, type CSSProperties } from 'react'
import { useLocation, useSearchParams } from 'react-router-dom'
import type { EventDocument } from '#shared/sync/replication-calls.ts'
import type { Decision } from '#shared/applications/decide.ts'
import { todayIn } from '#shared/time/event-time.ts'
import type { ApplicationCounts, ApplicationRow } from '../../sync/index.ts'
import { useSession } from '../../device/session/session.ts'
import { idFrom, paths } from '../../paths.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { NewItemsPill, SelectionBar } from '../../ui/floating-bars.tsx'
import { ShareRow } from '../share-row.tsx'
import { ApplicationDialog } from './application-details.tsx'
import { ApplicationPanel } from './application-panel.tsx'
import { ApplicationsCards } from './applications-cards.tsx'
import { ApplicationsTable } from './applications-table.tsx'
import { ApplicationsToolbar, type ListView } from './applications-toolbar.tsx'
import { decisionSyncState, isHere, isUndoable, possibleDecisions, search } from './shown-applicant.ts'
import { BulkResults, BulkSheet } from './bulk-decision.tsx'
import { DecisionUndo, type Batch, type DecisionActions } from './decision-buttons.tsx'
import { ShortcutSheet, useShortcuts } from './keyboard.tsx'
import type { ApplicantActions, ApplicantList } from './application-row.tsx'
import { useSteadyList, useSelection } from './list-state.ts'
import { useNow } from '../../ui/page/use-now.ts'
import { useMedia } from '../../ui/use-media.ts'
import { useMarks } from './marks.tsx'
import { useDecisions } from './use-decisions.ts'

/** By the venue's calendar; the evening before counts, for those who build up. */
function isEventDay({ startDate, endDate, timeZone }: EventDocument, now: Date): boolean {
  const tomorrow = todayIn(timeZone, new Date(now.getTime() + 86_400_000))
  return tomorrow >= startDate && todayIn(timeZone, now) <= endDate
}

const doublePressMs = 500

/** Fixed bars stay above the list alone. */
const beside = { '--beside': 'clamp(22rem, 34vw, 32rem)' } as CSSProperties

export function Applications(props: {
  /** Null for several events, whose names are then shown. */
  event: EventDocument | null
  eventNameOf?: (eventId: number) => string
  rows: readonly ApplicationRow[]
  counts: ApplicationCounts | null
  /** Undoable ones, newest first. */
  held: readonly ApplicationRow[]
  asOf: string | null
}) {
  const { event, eventNameOf, rows, counts, held, asOf } = props
  const userId = useSession().user?.id ?? null
  const decisions = useDecisions(userId)
  const marks = useMarks(userId)
  const actions = useMemo<ApplicantActions>(() => ({ ...decisions, ...marks }), [decisions, marks])
  const now = useNow()
  const [address] = useSearchParams()
  /** Viewed on arrival: an alert leads there. */
  const openId = idFrom(address.get('application') ?? undefined)
  const [view, setView] = useState<ListView>({ filter: 'all', order: 'waiting', typed: '' })
  const { filter, order } = view
  const text = useDeferredValue(view.typed)
  const viewKey = `${filter} ${order} ${text}`
  const [currentId, setCurrentId] = useState(openId)
  const [viewing, setViewing] = useState(openId !== null)
  const { key: arrival } = useLocation()
  const [followed, setFollowed] = useState(arrival)
  if (followed !== arrival) {
    setFollowed(arrival)
    if (openId !== null) {
      setCurrentId(openId)
      setViewing(true)
    }
  }
  /** Whom a rejection is not mailed to. */
  const [quietId, setQuietId] = useState<number | null>(null)
  const [batch, setBatch] = useState<Batch | null>(null)
  const [help, setHelp] = useState(false)
  const [asking, setAsking] = useState<Decision | null>(null)
  const [resulting, setResulting] = useState(false)
  const selection = useSelection()
  const root = useRef<HTMLDivElement>(null)
  const follow = useRef(false)
  const pressed = useRef<Decision | null>(null)
  const isWide = useMedia('(min-width: 64rem)')
  const List = useMedia('(min-width: 40rem)') ? ApplicationsTable : ApplicationsCards

  const list = useMemo<ApplicantList>(
    () => ({
      now,
      actions,
      selecting: selection.on,
      onToggle: selection.toggle,
      onView: ({ application }) => {
        setCurrentId(application.id)
        setViewing(true)
      },
      ...(eventNameOf && { eventNameOf }),
      here: {
        offered: event !== null && isEventDay(event, now),
        of: (application) => event !== null && isHere(application, event.timeZone, now),
      },
    }),
    [event, eventNameOf, now, actions, selection.on, selection.toggle],
  )
  const { here } = list
  const hereCount = useMemo(
    () => (event ? rows.filter(({ application }) => here.of(application)).length : 0),
    [event, rows, here],
  )
  const byId = useMemo(() => new Map(rows.map((row) => [row.application.id, row])), [rows])
  const exists = useCallback((id: number) => byId.has(id), [byId])
  const matching = useMemo(() => {
    if (filter === 'all' && !text.trim()) return rows
    const isFound = search(text)
    return rows.filter(
      ({ application }) =>
        (filter === 'all' || (filter === 'here' ? here.of(application) : application.status === filter)) &&
        isFound(application),
    )
  }, [rows, filter, text, here])
  const { shown, waiting, refresh } = useSteadyList(viewKey, matching, order, exists)
  const current = currentId === null ? undefined : byId.get(currentId)
  const place = currentId === null ? -1 : shown.indexOf(currentId)
  const chosen = useMemo(
    () => (selection.on ? rows.filter(({ application }) => selection.ids.has(application.id)) : []),
    [rows, selection.on, selection.ids],
  )

  function show(id: number) {
    follow.current = true
    setCurrentId(id)
  }
  function move(step: 1 | -1) {
    const next = place === -1 ? shown.at(step === 1 ? 0 : -1) : shown[place + step]
    if (next !== undefined) show(next)
  }
  function close() {
    follow.current = true
    setViewing(false)
  }
  useLayoutEffect(() => {
    if (!follow.current) return
    follow.current = false
    const row = root.current?.querySelector(`[data-row="${currentId}"]`)
    row?.scrollIntoView({ block: 'nearest' })
    // The focus follows: Enter opens the applicant, and a screen reader says the name.
    if (!document.activeElement?.closest('[data-details]'))
      row?.querySelector<HTMLElement>('[data-view]')?.focus({ preventScroll: true })
  })

  /** Looks behind the current one first, then before it. */
  function nextPending(): number | undefined {
    return [...shown.slice(place + 1), ...shown.slice(0, Math.max(0, place))].find(
      (id) => byId.get(id)?.application.status === 'pending',
    )
  }
  function decide(row: ApplicationRow, to: Decision, tell: boolean) {
    actions.onDecide(row, to, tell)
    if (!viewing || row.application.status !== 'pending') return
    const next = nextPending()
    if (next !== undefined) show(next)
    else if (!isWide) close()
  }
  function undo(row: ApplicationRow) {
    pressed.current = null
    actions.onUndo(row)
    if (viewing) show(row.application.id)
  }
  const viewActions: DecisionActions = {
    ...actions,
    onUndo: undo,
    onDecide: (row, to, tell = true) => {
      // The second press of a double one was not meant for the next applicant.
      if (pressed.current === to) return
      pressed.current = to
      setTimeout(() => (pressed.current = null), doublePressMs)
      decide(row, to, tell)
    },
  }
  function press(to: Decision) {
    if (!current || isUndoable(current) || decisionSyncState(current) === 'needs-attention') return
    if (possibleDecisions(current.application).includes(to)) decide(current, to, quietId !== currentId)
  }
  const shortcuts = useShortcuts({
    next: () => move(1),
    previous: () => move(-1),
    approve: () => press('approved'),
    reject: () => press('rejected'),
    star: () => current && actions.onStar(current, !current.application.starred),
    view: () => setViewing(true),
    undo: () => {
      const unwritten = rows.find((row) => decisionSyncState(row) === 'saving' && isUndoable(row))
      const newest = unwritten ?? held[0]
      if (newest) undo(newest)
    },
    search: () => root.current?.querySelector<HTMLElement>('input[type="search"]')?.focus(),
    help: () => setHelp(true),
  })

  if (rows.length === 0 && event) {
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
    // Nothing was saved, as a toast says: the selection stays.
    if (seqs.length === 0) return
    setBatch({ to, seqs, ids: about.map(({ application }) => application.id) })
    selection.stop()
    setResulting(true)
  }

  const viewed = viewing &&
    current && {
      row: current,
      list,
      actions: viewActions,
      tell: quietId !== currentId,
      onTell: (tell: boolean) => setQuietId(tell ? null : currentId),
      onClose: close,
    }
  const isBeside = isWide && viewed
  return (
    <div ref={root} style={isBeside ? beside : undefined}>
      <ApplicationsToolbar
        counts={counts}
        severalEvents={event === null}
        hereCount={here.offered || hereCount > 0 ? hereCount : null}
        view={view}
        onView={(change) => setView({ ...view, ...change })}
        selecting={selection.on}
        onSelect={() => (selection.on ? selection.stop() : selection.start())}
        asOf={asOf}
        onHelp={() => setHelp(true)}
      />
      <NewItemsPill count={waiting} onShow={refresh} />
      <div className={isBeside ? 'grid grid-cols-[minmax(0,1fr)_var(--beside)] items-start gap-4' : ''}>
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
          <ApplicationPanel {...isBeside} place={place === -1 ? '' : `${place + 1} of ${shown.length}`} onMove={move} />
        )}
      </div>
      {selection.on && (
        <SelectionBar
          label={`${chosen.length} selected`}
          raised={held.length > 0}
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
      {viewed && !isWide && (
        <ApplicationDialog
          key={currentId}
          {...viewed}
          undoable={held.find(({ application }) => application.id !== currentId) ?? null}
        />
      )}
      <DecisionUndo held={held} batch={batch} actions={viewActions} />
      {help && <ShortcutSheet {...shortcuts} onClose={() => setHelp(false)} />}
    </div>
  )
}
