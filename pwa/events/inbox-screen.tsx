import { ArrowLeft } from 'lucide-react'
import { useMemo, useState } from 'react'
import { foldedView, reachability, useObservable } from '../sync/index.ts'
import { paths } from '../paths.ts'
import { Applications } from '../applications/manage/applications.tsx'
import { heldDecisions } from '../applications/manage/decision-buttons.tsx'
import { collectWaiting, countRows } from '../applications/manage/waiting-rows.ts'
import { ButtonLink } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { formatMoment } from '../ui/page/local-time.ts'
import { usePageTitle } from '../ui/page/page-title.ts'
import { useNow } from '../ui/page/use-now.ts'
import { FirstCopy } from './first-copy.tsx'

export function InboxScreen() {
  usePageTitle('Waiting for you')
  const view = useObservable(foldedView)
  const [waitingIn] = useState(collectWaiting)
  const rows = useMemo(() => waitingIn(view), [waitingIn, view])
  const counts = useMemo(() => countRows(rows), [rows])
  const held = useMemo(() => heldDecisions(rows), [rows])
  const unreachable = useObservable(reachability) === 'unreachable'
  // The same function while no name changed: a decision must not draw every row again.
  const names = JSON.stringify(view.events.map(({ event }) => [event.id, event.name]))
  const eventNameOf = useMemo(() => {
    const byId = new Map(JSON.parse(names) as [number, string][])
    return (id: number) => byId.get(id) ?? ''
  }, [names])
  const now = useNow()
  return (
    <div className="px-4 pt-2 pb-10 sm:px-6">
      <header className="-ml-2 flex items-center gap-1">
        <ButtonLink to={paths.dashboard} variant="ghost" aria-label="Dashboard" className="no-print btn-square">
          <ArrowLeft className="size-5" />
        </ButtonLink>
        <div className="min-w-0">
          <h1 className="text-xl sm:text-2xl">Waiting for you</h1>
          {counts.pending > 0 && (
            <p className="text-sm text-muted">{counts.pending} over all your events, the longest wait first.</p>
          )}
        </div>
      </header>
      <h2 className="sr-only">Applications</h2>
      {view.status === 'loading' ? (
        <FirstCopy label="Loading applications" />
      ) : rows.length === 0 ? (
        <EmptyState
          illustration="clear"
          title="Everyone has an answer"
          action={<ButtonLink to={paths.dashboard}>Go to Dashboard</ButtonLink>}
        >
          New applications appear here at once.
        </EmptyState>
      ) : (
        <Applications
          event={null}
          eventNameOf={eventNameOf}
          rows={rows}
          counts={counts}
          held={held}
          asOf={unreachable && view.asOf ? `as of ${formatMoment(view.asOf, now)}` : null}
        />
      )}
      {/* The end of the page must be reachable above the undo bar. */}
      {held.length > 0 && <div className="h-20" />}
    </div>
  )
}
