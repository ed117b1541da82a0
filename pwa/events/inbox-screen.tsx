import { ArrowLeft } from 'lucide-react'
import { useMemo, useState } from 'react'
import { hasEnded } from '#shared/time/event-time.ts'
import { foldedView, reachability, type EventRow } from '../sync/index.ts'
import { useObservable } from '../browser/observable.ts'
import { paths } from '../paths.ts'
import { Applications } from '../applications/manage/list/applications.tsx'
import type { SeveralEvents } from '../applications/manage/list/use-applicant-list.ts'
import { heldDecisions } from '../applications/manage/decision-buttons.tsx'
import { collectWaiting, countRows } from '../applications/manage/list/waiting-rows.ts'
import { ButtonLink } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { formatMoment } from '../ui/page/local-time.ts'
import { usePageTitle } from '../ui/page/page-title.ts'
import { useNow } from '../ui/page/use-now.ts'
import { todaysEvents, todaysTitle } from './dashboard-events.ts'
import { FirstCopy } from './first-copy.tsx'

interface EventFacts {
  readonly id: number
  readonly name: string
  readonly isOver: boolean
  readonly isLeading: boolean
}

function factsOf(events: readonly EventRow[], now: Date): readonly EventFacts[] {
  const leading = todaysEvents(events, now).map(({ row }) => row)
  return [...leading, ...events.filter((row) => !leading.includes(row))].map((row) => ({
    id: row.event.id,
    name: row.event.name,
    isOver: hasEnded(row.event, now),
    isLeading: leading.includes(row),
  }))
}

/** The same object while nothing in it changed: a decision must not draw every row again. */
function useSeveralEvents(events: readonly EventRow[], now: Date): SeveralEvents {
  const text = JSON.stringify(factsOf(events, now))
  return useMemo(() => {
    const facts = JSON.parse(text) as EventFacts[]
    const byId = new Map(facts.map((event) => [event.id, event]))
    return {
      nameOf: (id) => byId.get(id)?.name ?? '',
      isOver: (id) => byId.get(id)?.isOver ?? false,
      ids: facts.map(({ id }) => id),
      leading: facts.filter(({ isLeading }) => isLeading).map(({ id }) => id),
    }
  }, [text])
}

export function InboxScreen() {
  usePageTitle('Waiting for you')
  const view = useObservable(foldedView)
  const [waitingIn] = useState(collectWaiting)
  const rows = useMemo(() => waitingIn(view), [waitingIn, view])
  const counts = useMemo(() => countRows(rows), [rows])
  const held = useMemo(() => heldDecisions(rows), [rows])
  const unreachable = useObservable(reachability) === 'unreachable'
  const now = useNow()
  const several = useSeveralEvents(view.events, now)
  const today = todaysEvents(view.events, now).filter(({ row }) => row.counts.pending > 0)
  return (
    <div className="px-4 pt-2 pb-10 sm:px-6">
      <header className="-ml-2 flex items-center gap-1">
        <ButtonLink to={paths.dashboard} variant="ghost" aria-label="Dashboard" className="no-print btn-square">
          <ArrowLeft className="size-5" />
        </ButtonLink>
        <div className="min-w-0">
          <h1 className="text-xl sm:text-2xl">Waiting for you</h1>
          {today.map((one) => (
            <p key={one.row.event.id} className="font-medium">
              {todaysTitle(one)}
            </p>
          ))}
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
          several={several}
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
