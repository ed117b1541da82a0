import { Keyboard } from 'lucide-react'
import { useCallback, useDeferredValue, useMemo, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import type { ApplicationCounts, ApplicationRow } from '../../replica/rows.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FilterChips } from '../../ui/filter-chips.tsx'
import { NewItemsPill } from '../../ui/new-items-pill.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { Glyph } from '../../ui/status-mark.tsx'
import { ApplicationCard } from './application-card.tsx'
import { ApplicationDialog } from './application-dialog.tsx'
import { ApplicationsTable } from './applications-table.tsx'
import { isFound, isUndoable, possibleDecisions } from './applicant.ts'
import type { StatusFilter } from './applicant.ts'
import type { DecisionActions } from './decision-buttons.tsx'
import { ShortcutSheet, useShortcuts } from './keyboard.tsx'
import { useSteadyList } from './steady-list.ts'
import { useMedia } from './use-media.ts'

const chunk = 100

const rank = { pending: 0, approved: 1, rejected: 2 } as const

/** Who belongs to a view: those who wait first, then the newest first as they came. */
function idsOf(rows: readonly ApplicationRow[], filter: StatusFilter, text: string): number[] {
  return rows
    .filter(({ application }) => (filter === 'all' || application.status === filter) && isFound(application, text))
    .sort((one, other) => rank[one.application.status] - rank[other.application.status])
    .map(({ application }) => application.id)
}

/**
 * All applicants of an event: chips with counts, search, cards on a phone and a table from 640 px, the View dialog and
 * the keyboard. Long lists are painted a hundred at a time.
 */
export function Applications({
  rows,
  counts,
  actions,
  lastHeld,
  asOf,
  now,
  emptyAction,
  openId = null,
}: {
  rows: readonly ApplicationRow[]
  counts: ApplicationCounts
  actions: DecisionActions
  /** The newest decision that can be taken back, for the keyboard. */
  lastHeld: ApplicationRow | null
  /** A quiet line such as "as of 10:42 AM" when the phone has not heard from the server lately. */
  asOf: string | null
  now: Date
  emptyAction: ReactNode
  /** Whose details stand open at the start: an alert about one applicant leads to them. */
  openId?: number | null
}) {
  const [filter, setFilter] = useState<StatusFilter>('all')
  const [typed, setTyped] = useState('')
  const text = useDeferredValue(typed)
  const [limit, setLimit] = useState({ view: '', count: chunk })
  const [viewedId, setViewedId] = useState<number | null>(openId)
  const [currentId, setCurrentId] = useState<number | null>(null)
  const [help, setHelp] = useState(false)
  const list = useRef<HTMLDivElement>(null)
  const isTable = useMedia('(min-width: 40rem)')
  const isRoomy = useMedia('(min-width: 72rem)')

  const view = `${filter} ${text}`
  const byId = useMemo(() => new Map(rows.map((row) => [row.application.id, row])), [rows])
  const exists = useCallback((id: number) => byId.has(id), [byId])
  const ids = useMemo(() => idsOf(rows, filter, text), [rows, filter, text])
  const { shown, waiting, refresh } = useSteadyList(view, ids, exists)
  const most = limit.view === view ? limit.count : chunk
  const painted = shown.slice(0, most).flatMap((id) => byId.get(id) ?? [])
  const current = currentId === null ? null : (byId.get(currentId) ?? null)

  function move(step: 1 | -1) {
    const place = painted.findIndex(({ application }) => application.id === currentId)
    const next = painted[place === -1 ? (step === 1 ? 0 : painted.length - 1) : place + step]
    if (!next) return
    setCurrentId(next.application.id)
    const element = list.current?.querySelector(`[data-row="${next.application.id}"]`)
    element?.scrollIntoView({ block: 'nearest' })
    // Focus follows, so that Enter opens the applicant and a screen reader says the name.
    element?.querySelector<HTMLElement>('[data-view]')?.focus({ preventScroll: true })
  }
  function decide(to: 'approved' | 'rejected') {
    if (current && !isUndoable(current) && possibleDecisions(current.application).includes(to))
      actions.onDecide(current, to)
  }
  const shortcuts = useShortcuts({
    next: () => move(1),
    previous: () => move(-1),
    approve: () => decide('approved'),
    reject: () => decide('rejected'),
    view: () => setViewedId(currentId),
    undo: () => lastHeld && actions.onUndo(lastHeld),
    search: () => list.current?.parentElement?.querySelector<HTMLElement>('input[type="search"]')?.focus(),
    help: () => setHelp(true),
  })

  if (rows.length === 0) {
    return (
      <EmptyState illustration="beacons" title="No Beacon Applications" level={3} action={emptyAction}>
        Share your event’s page; whoever applies appears here at once.
      </EmptyState>
    )
  }
  return (
    <>
      <FilterChips
        label="Show applications"
        sticky
        value={filter}
        onChange={setFilter}
        chips={[
          { value: 'all', label: 'All', count: rows.length },
          { value: 'pending', label: 'Pending', count: counts.pending, icon: <Glyph of="pending" /> },
          { value: 'approved', label: 'Approved', count: counts.approved, icon: <Glyph of="approved" /> },
          { value: 'rejected', label: 'Rejected', count: counts.rejected, icon: <Glyph of="rejected" /> },
        ]}
      />
      <div className="mt-2 mb-4 flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="min-w-0 flex-[1_1_14rem] sm:max-w-sm">
          <SearchField
            label="Search applicants"
            placeholder="Name, company, e-mail"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </div>
        {asOf && <p className="text-sm text-muted">{asOf}</p>}
        <div className="ml-auto hidden sm:pointer-fine:block">
          <IconButton label="Keyboard shortcuts" onClick={() => setHelp(true)}>
            <Keyboard aria-hidden="true" className="size-5" />
          </IconButton>
        </div>
      </div>
      <NewItemsPill count={waiting} onShow={refresh} />
      <div ref={list}>
        {painted.length === 0 ? (
          <p className="rounded-box border border-dashed border-edge p-6 text-center text-muted">
            {text.trim() ? `Nobody here matches “${text.trim()}”.` : 'Nobody here.'}
          </p>
        ) : isTable ? (
          <ApplicationsTable
            rows={painted}
            currentId={currentId}
            roomy={isRoomy}
            now={now}
            actions={actions}
            onView={(row) => setViewedId(row.application.id)}
          />
        ) : (
          <ul aria-label="Applicants" className="flex flex-col gap-3">
            {painted.map((row) => (
              <ApplicationCard
                key={row.application.id}
                row={row}
                current={row.application.id === currentId}
                now={now}
                actions={actions}
                onView={() => setViewedId(row.application.id)}
              />
            ))}
          </ul>
        )}
      </div>
      {shown.length > most && (
        <div className="mt-4 flex flex-col items-center gap-1">
          <p className="text-sm text-muted tabular-nums">
            {most} of {shown.length} shown
          </p>
          <Button variant="secondary" onClick={() => setLimit({ view, count: most + chunk })}>
            Show more
          </Button>
        </div>
      )}
      <ApplicationDialog
        row={viewedId === null ? null : (byId.get(viewedId) ?? null)}
        actions={actions}
        onClose={() => setViewedId(null)}
      />
      <ShortcutSheet open={help} onClose={() => setHelp(false)} on={shortcuts.on} turn={shortcuts.turn} />
    </>
  )
}
